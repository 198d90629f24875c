// An explanation for people.
#include "base/fail.h"
#include "garner/explain.h"

namespace garner {
namespace {

std::string indented(const std::string& text) {
  std::string out;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    out += fmt::format("  {}\n", text.substr(begin, end - begin));
    begin = end + 1;
  }
  return out;
}

std::string section(const char* title, const std::string& body) {
  return fmt::format("\n{}\n{}", title, indented(body));
}

/// Three digits and the unit that suits them.
std::string scaled(double value, double step, std::initializer_list<const char*> units) {
  auto unit = units.begin();
  while (value >= step && unit + 1 != units.end()) {
    value /= step;
    ++unit;
  }
  return value < 1000 ? fmt::format("{:.3g} {}", value, *unit) : fmt::format("{:.0f} {}", value, *unit);
}
std::string duration(double ns) { return scaled(ns, 1000, {"ns", "us", "ms", "s"}); }
std::string size(Index bytes) { return scaled(static_cast<double>(bytes), 1024, {"B", "KiB", "MiB", "GiB", "TiB"}); }

std::string fact_value(const Fact& fact) {
  if (const auto* truth = std::get_if<bool>(&fact.value)) return *truth ? "yes" : "no";
  return fmt::to_string(std::get<Index>(fact.value));
}

std::string facts_text(const std::vector<Fact>& facts) {
  std::string out;
  for (const Fact& fact : facts) out += fmt::format("{:<15} {}\n", fact.name, fact_value(fact));
  return out;
}

std::string kernels_text(const std::vector<KernelVerdict>& kernels) {
  std::string out;
  for (const KernelVerdict& k : kernels)
    out += fmt::format("{:<15} {:>8}  {}\n", k.name, k.accepts ? duration(k.cost_ns) : "-", k.why);
  return out;
}

std::string traffic_text(const Traffic& bytes) {
  std::string out;
  const auto add = [&](const char* what, Index count) {
    if (count > 0) out += fmt::format("{:<15} {:>8}\n", what, size(count));
  };
  add("operand", bytes.operand);
  add("updates", bytes.updates);
  add("indices", bytes.indices);
  add("mask and fill", bytes.mask_and_fill);
  add("result", bytes.result);
  return out + fmt::format("{:<15} {:>8}\n", "in all", size(bytes.total()));
}

std::string time_text(const JobExplanation& job, double rate) {
  const char* threads = job.threads == 1 ? "thread" : "threads";
  return fmt::format(
      "{}: the larger of\n  {:>8}  the bytes at this machine's copy rate, {:.3g} GB/s\n"
      "  {:>8}  the cost model of {} on {} {}\n",
      duration(job.predicted_ns), duration(job.copy_ns), rate / 1e9, duration(job.kernel_ns), job.kernels.front().name,
      job.threads, threads);
}

std::string job_text(const JobExplanation& job, double rate) {
  std::string equation = job.equation + "\n";
  for (const std::string& rule : job.rules) equation += "  " + rule + "\n";
  std::string out = section("equation", equation) + section("plan", job.plan);
  out += section("normal form", job.normal_form == job.plan ? "the same" : job.normal_form);
  out += section("facts", facts_text(job.facts)) + section("kernels", kernels_text(job.kernels));
  return out + section("bytes that must move", traffic_text(job.traffic)) +
         section("predicted time", time_text(job, rate));
}

}  // namespace

std::string to_text(const Explanation& e) {
  std::string out = fmt::format("{}{}\n", e.op, e.signature);
  if (!e.promise.empty()) out += section(e.jobs.empty() ? "result" : "after the plan", e.promise);
  for (const JobExplanation& job : e.jobs) out += job_text(job, e.bytes_per_second);
  return out;
}

}  // namespace garner
