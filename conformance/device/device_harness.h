// Jobs on a device against the CPU's reference kernel.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "conformance/case_file.h"
#include "garner/call.h"
#include "garner/cuda.h"

namespace garner::conformance {

/// The same memory, layout included, on the device.
View moved(const View& view, std::vector<Tensor>& kept, void* stream = nullptr);

/// The job with all its tensors there.
Job moved(const Job& job, void* stream = nullptr);

/// Same dtype, shape and bits; where floats are computed (`sums`) a NaN is any NaN, because which of its bits a sum
/// keeps is the hardware's.
bool same_values(const View& a, const View& b, bool sums);

/// One line per finding: every kernel of the device that accepts, on the default stream and on another, replayed from a
/// graph, and into strided memory, gives what the reference kernel gives, or the same error.
std::vector<std::string> check_on_device(const Job& job);

/// What became of the calls of the cases on a device: as on the CPU, refused there, or a finding.
class Tally {
 public:
  explicit Tally(std::string what) : what_(std::move(what)) {}
  /// Counts a call that works on the CPU's arrays alone and says so. A call that speaks of an `out` is none of these:
  /// nobody gave one.
  bool refused(const Call& call, const Status& status);
  /// Fails the test for what is not as on the CPU, 20 times at most.
  void compare(const Case& c, bool same, const Status& device, const Status& cpu);
  void print() const;

 private:
  std::string what_;
  int equal_ = 0, findings_ = 0;
  std::map<std::string, int> cpu_alone_;
};

}  // namespace garner::conformance
