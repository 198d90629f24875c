// A call with its jobs and the user's own names for the tensors in them.
#pragma once
#include "call/call.h"

namespace garner {

/// A tensor the user gave, under the name the signature has for it: "index", or "indices[0]" inside a list.
struct GivenTensor {
  std::string name;
  View view;
};

class GivenTensors {
 public:
  GivenTensors(const Arguments& arguments, const Parameters& parameters);

  /// The argument that a job's tensor is, or is a part of; null when the lowering made it.
  const GivenTensor* holding(const View& part) const;
  /// The argument of this name, or null.
  const GivenTensor* named(const std::string& name) const;
  /// The name of the argument that holds it, also when it was written as a list of numbers.
  std::string name_of(const View& part, const std::string& otherwise) const;

 private:
  void add(const std::string& name, const Value& value);
  void add_literal(const Arguments& arguments, const std::string& name);

  std::vector<GivenTensor> tensors_, literals_;
  std::vector<Value> kept_;
};

struct LoweredCall {
  std::string op, signature;
  std::string promise;  // what it gives that the plan does not say; empty when the plan says it all
  bool has_plan = true;
  GivenTensors given;
  Jobs jobs;
};

/// Rules A1 to A3 and the operation's own. An operation without a plan is no error here.
Result<LoweredCall> lower_with_names(const Call& call);

}  // namespace garner
