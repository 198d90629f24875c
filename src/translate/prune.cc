#include "translate/prune.h"

namespace garner::translate_detail {
namespace {

std::vector<bool> needed(const Program& program) {
  std::vector<bool> needs(program.nodes.size());
  for (const int r : program.results) needs[static_cast<std::size_t>(r)] = true;
  for (std::size_t n = program.nodes.size(); n-- > 0;) {
    const Node& node = program.nodes[n];
    if (node.op == Op::kInput || node.op == Op::kCheck) needs[n] = true;
    for (const int a : node.args)
      if (needs[n]) needs[static_cast<std::size_t>(a)] = true;
  }
  return needs;
}

void renumber(std::vector<int>& nodes, const std::vector<int>& number) {
  for (int& n : nodes) n = number[static_cast<std::size_t>(n)];
}

}  // namespace

Program prune(const Program& program) {
  const std::vector<bool> needs = needed(program);
  std::vector<int> number(program.nodes.size(), -1);
  Program out{.nodes = {}, .inputs = program.inputs, .results = program.results, .notes = program.notes};
  for (std::size_t n = 0; n < program.nodes.size(); ++n) {
    if (!needs[n]) continue;
    number[n] = static_cast<int>(out.nodes.size());
    out.nodes.push_back(program.nodes[n]);
    renumber(out.nodes.back().args, number);
  }
  renumber(out.inputs, number);
  renumber(out.results, number);
  return out;
}

}  // namespace garner::translate_detail
