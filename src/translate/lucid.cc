// Lucid: one gather, which takes elements along an axis and refuses negative indices.
#include "base/fail.h"
#include "translate/layers.h"

namespace garner::translate_detail {

std::vector<Candidate> lucid_candidates(const Subject& subject) {
  std::vector<Candidate> all;
  if (subject.inputs.size() != 2) return all;
  for (const std::size_t x : {std::size_t{0}, std::size_t{1}}) {
    const std::string &data = subject.inputs[x].name, &index = subject.inputs[1 - x].name;
    for (Index axis = 0; axis < static_cast<Index>(subject.inputs[x].shape.size()); ++axis)
      all.push_back(
          {{"lucid", "gather", {{"", {subject.values[x]}}, {"dim", {axis}}, {"index", {subject.values[1 - x]}}}},
           fmt::format("import lucid\n\n\ndef call({}, {}):\n    \"\"\"{}\"\"\"\n    return lucid.gather({}, "
                       "dim={}, index={})\n",
                       subject.inputs[0].name, subject.inputs[1].name, subject.op, data, axis, index)});
  }
  return all;
}

}  // namespace garner::translate_detail
