// garner_measure ceilings|rates|tiny|ratios [--quick] [--threads N] [--table-mib N] [--seconds S] [--read-chunk BYTES]
// [--update-chunk BYTES]: prints JSON.
#include "bench/measure.h"

#include <iostream>
#include <map>

namespace garner::measure {
namespace {

const std::map<std::string, Json (*)(const Options&)>& commands() {
  static const std::map<std::string, Json (*)(const Options&)> all = {
      {"ceilings", ceilings}, {"rates", rates}, {"tiny", tiny}, {"ratios", ratios}};
  return all;
}

Options options_of(const std::vector<std::string>& words) {
  Options options;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--quick") options.quick = true;
    else if (i + 1 == words.size()) throw std::runtime_error("garner_measure: " + words[i] + " is no option");
    else if (words[i] == "--threads") options.threads = std::stoi(words[++i]);
    else if (words[i] == "--table-mib") options.table_mib = std::stoul(words[++i]);
    else if (words[i] == "--seconds") options.seconds = std::stod(words[++i]);
    else if (words[i] == "--read-chunk") options.read_chunks.push_back(std::stoul(words[++i]));
    else if (words[i] == "--update-chunk") options.update_chunks.push_back(std::stoul(words[++i]));
    else throw std::runtime_error("garner_measure: " + words[i] + " is no option");
  }
  if (options.table_mib == 0) options.table_mib = options.quick ? 1024 : 4096;
  if (options.seconds == 0) options.seconds = options.quick ? 0.08 : 0.4;
  return options;
}

int run(const std::vector<std::string>& words) {
  const auto command = commands().find(words.empty() ? "" : words[0]);
  if (command == commands().end()) {
    std::cerr << "garner_measure: the command is one of ceilings, rates, tiny, ratios\n";
    return 2;
  }
  const Json found = command->second(options_of({words.begin() + 1, words.end()}));
  std::cout << found.dump(2) << "\n";
  return found.value("failed", 0) == 0 ? 0 : 1;
}

}  // namespace
}  // namespace garner::measure

int main(int argc, char** argv) {
  try {
    return garner::measure::run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
}
