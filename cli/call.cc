// garner call: a call on literals and files, its results printed or saved.
#include <fmt/format.h>

#include <chrono>

#include "base/fail.h"
#include "call/call.h"
#include "cli/blocks.h"
#include "cli/commands.h"
#include "cli/common.h"
#include "garner/format.h"

namespace garner::cli {
namespace {

/// What came out, and where it is.
struct Outcome {
  std::string op;
  std::vector<Tensor> results;                   // unless they were written as they were made
  std::vector<nlohmann::ordered_json> types;     // dtype and shape of each
  std::vector<std::string> lines;                // the same as text
  std::vector<std::string> files;                // of each, if saved
  double seconds = 0;
};

class Runner {
 public:
  explicit Runner(const CallRequest& request)
      : request_(request), options_{.threads = request.threads, .kernel = request.kernel} {}

  Result<Outcome> run() {
    GARNER_ASSIGN(const Call call, read_call(request_.call, files_));
    GARNER_ASSIGN(const Op* op, find_op(call.dialect, call.op));
    GARNER_ASSIGN(Arguments arguments, bind(*op, call));
    Outcome out;
    out.op = arguments.op();
    const auto start = std::chrono::steady_clock::now();
    GARNER_TRY(perform(*op, arguments, out));
    out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return out;
  }

 private:
  static void note(Outcome& out, const View& result) {
    out.types.push_back(type_json(result));
    out.lines.push_back(type_text(result));
  }

  /// Has each job one result of its own?
  static bool is_plain(const Jobs& jobs) {
    return std::ranges::none_of(jobs,
                                [](const Job& job) { return job.plan.fetch_stride || !job.more_operands.empty(); });
  }

  /// May its plans be run instead of the operation? Where that does more than run them, it does so to other shapes than
  /// a large gather has: rank-0 tensors, flat ones.
  static bool may_stream(const Op& op, const Jobs& jobs) {
    constexpr Index kLarge = Index{64} << 20;
    const auto is_large_gather = [](const Job& job) {
      const View result(job.plan.dtype, nullptr, job.result_shape);
      return job.plan.direction == Direction::kGather && result.elements() * width(result.dtype()) >= kLarge;
    };
    return is_plain(jobs) && (op.evaluate == nullptr || std::ranges::all_of(jobs, is_large_gather));
  }

  Status perform(const Op& op, Arguments& arguments, Outcome& out) {
    if (op.lower != nullptr && request_.out.ends_with(".npy")) {
      const auto jobs = lower(op, arguments);
      if (!jobs.ok() && op.evaluate == nullptr) return jobs.status();
      if (jobs.ok() && may_stream(op, *jobs)) return stream(*jobs, out);
    }
    GARNER_ASSIGN(out.results, evaluate(op, arguments, options_));
    for (const Tensor& t : out.results) note(out, t);
    if (request_.out.empty()) return {};
    out.files = files_for(request_.out, out.results.size());
    return save(request_.out, out.results);
  }

  /// Each result goes to its file as it is made.
  Status stream(const Jobs& jobs, Outcome& out) {
    out.files = files_for(request_.out, jobs.size());
    std::vector<format::NpyWriter> writers;
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      GARNER_ASSIGN(auto writer, format::NpyWriter::create(out.files[i], jobs[i].plan.dtype, jobs[i].result_shape));
      note(out, writer.view());
      GARNER_TRY(fill(jobs[i], writer));
      writers.push_back(std::move(writer));
    }
    for (auto& writer : writers) GARNER_TRY(writer.commit());
    return {};
  }

  Status fill(const Job& job, const format::NpyWriter& writer) {
    const View& result = writer.view();
    Progress progress(static_cast<double>(result.elements()) * width(result.dtype()));
    const auto forget = [&] {
      for (const KeptBy& file : files_) file->forget();
      writer.forget();
    };
    return run_in_blocks(job, writer.view(), options_, {forget, [&](double bytes) { progress.advance(bytes); }});
  }

  const CallRequest& request_;
  RunOptions options_;
  Files files_;
};

void print_json(const Outcome& out) {
  auto results = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < out.types.size(); ++i) {
    auto one = out.types[i];
    if (out.files.empty()) one["values"] = values_json(out.results[i]);
    else one["file"] = out.files[i];
    results.push_back(std::move(one));
  }
  const nlohmann::ordered_json all{{"op", out.op}, {"results", std::move(results)}, {"seconds", out.seconds}};
  fmt::print("{}\n", all.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

void print_text(const Outcome& out) {
  for (std::size_t i = 0; i < out.lines.size(); ++i) {
    const std::string type = coloured(stdout, "2", out.lines[i]);
    if (out.files.empty()) fmt::print("{}\n{}\n", type, to_string(out.results[i]));
    else fmt::print("{} in {}\n", type, out.files[i]);
  }
}

}  // namespace

int call(const CallRequest& request) {
  if (!request.out.empty() && !is_savable(request.out))
    return report_usage(fmt::format("output is {}, allowed .npy .npz .safetensors", request.out));
  const Result<Outcome> outcome = Runner(request).run();
  if (!outcome.ok()) return report(outcome.status());
  request.json ? print_json(*outcome) : print_text(*outcome);
  return kDone;
}

}  // namespace garner::cli
