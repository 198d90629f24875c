// An explanation for programs.
#include <nlohmann/json.hpp>

#include "garner/explain.h"

namespace garner {
namespace {

using Json = nlohmann::ordered_json;

Json facts_json(const std::vector<Fact>& facts) {
  Json out = Json::object();
  for (const Fact& fact : facts) std::visit([&](auto value) { out[fact.name] = value; }, fact.value);
  return out;
}

Json kernels_json(const std::vector<KernelVerdict>& kernels) {
  Json out = Json::array();
  for (const KernelVerdict& k : kernels)
    out.push_back({{"name", k.name},
                   {"accepts", k.accepts},
                   {"chosen", k.chosen},
                   {"cost_ns", k.accepts ? Json(k.cost_ns) : Json()},
                   {"why", k.why}});
  return out;
}

Json traffic_json(const Traffic& bytes) {
  return {{"operand", bytes.operand}, {"updates", bytes.updates},
          {"indices", bytes.indices}, {"mask_and_fill", bytes.mask_and_fill},
          {"result", bytes.result},   {"total", bytes.total()}};
}

Json job_json(const JobExplanation& job) {
  return {{"equation", job.equation},
          {"rules", job.rules},
          {"plan", job.plan},
          {"normal_form", job.normal_form},
          {"facts", facts_json(job.facts)},
          {"kernels", kernels_json(job.kernels)},
          {"bytes", traffic_json(job.traffic)},
          {"threads", job.threads},
          {"copy_ns", job.copy_ns},
          {"kernel_ns", job.kernel_ns},
          {"predicted_ns", job.predicted_ns}};
}

}  // namespace

std::string to_json(const Explanation& e) {
  Json jobs = Json::array();
  for (const JobExplanation& job : e.jobs) jobs.push_back(job_json(job));
  const Json out = {{"op", e.op},
                    {"signature", e.signature},
                    {"promise", e.promise.empty() ? Json() : Json(e.promise)},
                    {"bytes_per_second", e.bytes_per_second},
                    {"jobs", jobs}};
  return out.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace garner
