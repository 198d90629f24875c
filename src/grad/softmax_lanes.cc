#include "grad/softmax_lanes.h"

#include <cmath>
#include <limits>

#include "device/cpu/threads.h"
#include "garner/index.h"
#include "grad/cuda/softmax.h"
#include "grad/offers.h"
#include "grad/place.h"
#include "grad/rounding.h"
#include "index/memory.h"

namespace garner::grad::plain {
namespace {

using index::Lanes;

/// A lane: `count` elements, `step` apart.
template <class T>
struct Lane {
  const T* data;
  Index count, step;
  double at(Index i) const { return static_cast<double>(to_compute(data[i * step])); }
};

/// The largest element, or NaN if there is one.
template <class T>
double largest(const Lane<T>& lane) {
  double best = -std::numeric_limits<double>::infinity();
  for (Index i = 0; i < lane.count; ++i)
    if (const double v = lane.at(i); v > best || v != v) best = v;
  return best;
}

/// Less the largest, so that no exponential overflows. `each` gets them one by one, if it is there.
template <class T>
double sum_of_exp(const Lane<T>& lane, double best, double* each = nullptr) {
  double sum = 0;
  for (Index i = 0; i < lane.count; ++i) {
    const double e = std::exp(lane.at(i) - best);
    if (each != nullptr) each[i] = e;
    sum += e;
  }
  return sum;
}

struct Softmax : Floats {
  static constexpr const char* kName = "softmax";
  static constexpr auto kOnDevice = on_device::LaneFunction::kSoftmax;
  template <class T> static void write(const Lane<T>& lane, std::vector<double>& room, T* out) {
    room.resize(static_cast<std::size_t>(lane.count));
    const double sum = sum_of_exp(lane, largest(lane), room.data());
    for (Index i = 0; i < lane.count; ++i)
      out[i * lane.step] = rounded_once<T>(room[static_cast<std::size_t>(i)] / sum);
  }
};
struct LogSoftmax : Floats {
  static constexpr const char* kName = "log_softmax";
  static constexpr auto kOnDevice = on_device::LaneFunction::kLogSoftmax;
  template <class T> static void write(const Lane<T>& lane, std::vector<double>&, T* out) {
    const double best = largest(lane), shift = std::log(sum_of_exp(lane, best));
    for (Index i = 0; i < lane.count; ++i) out[i * lane.step] = rounded_once<T>(lane.at(i) - best - shift);
  }
};

/// work(begin, end) over lanes; an exponential is worth some 32 bytes of copying.
void share_out(Index lanes, Index elements, const std::function<void(Index, Index)>& work) {
  const Index bytes = elements * 32;
  const Index grain = std::max<Index>(1, lanes * kBytesPerThread / std::max<Index>(bytes, 1));
  parallel_ranges(thread_count(0, bytes), lanes, grain, work);
}

template <class F>
Result<Tensor> along(const Tensor& a, Index axis) {
  return dispatch_offered<F>(F::kName, a.dtype(), [&]<class T>() -> Result<Tensor> {
    GARNER_ASSIGN(Tensor out, empty_at(a.device(), a.dtype(), a.shape()));
    if (out.elements() == 0) return out;
    const Lanes lanes = index::lanes_of(a.shape(), axis);
    if (!a.device().is_cpu()) {
      GARNER_TRY(on_device::softmax(F::kOnDevice, a, {lanes.outer, lanes.count, lanes.inner}, out.view()));
      return out;
    }
    T* to = out.as<T>();
    share_out(lanes.outer * lanes.inner, a.elements(), [&](Index begin, Index end) {
      std::vector<double> room;
      for (Index l = begin; l < end; ++l) {
        const Index first = l / lanes.inner * lanes.count * lanes.inner + l % lanes.inner;
        F::write(Lane<T>{a.as<T>() + first, lanes.count, lanes.inner}, room, to + first);
      }
    });
    return out;
  });
}

// ---- cross entropy ----

constexpr const char* kLoss = "cross_entropy";

Status check_shapes(const Tensor& logits, const View& target) {
  if (logits.rank() == 2 && target.rank() == 1 && target.extent(0) == logits.shape()[0]) return {};
  return fail(Code::kInvalidArgument, "G5", "{}: shapes are {} and {}, allowed [n,classes] and [n]", kLoss,
              list(logits.shape()), list(target.shape()));
}

Status check_targets(const Tensor& target, Index classes) {
  return dispatch_index(target.dtype(), [&]<class I>() -> Status {
    for (Index i = 0; i < target.elements(); ++i) {
      const I at = target.as<I>()[i];
      if (std::cmp_less(at, 0) || std::cmp_greater_equal(at, classes))
        return fail(Code::kIndex, "G9", "{}: target[{}] is {}, allowed [0, {})", kLoss, i, at, classes);
    }
    return {};
  }, [] { return Status{}; });
}

Index target_at(const Tensor& target, Index i) {
  return dispatch_index(target.dtype(), [&]<class I>() { return static_cast<Index>(target.as<I>()[i]); },
                        [] { return Index{0}; });
}

template <class T>
Result<Tensor> mean_loss(const Tensor& logits, const Tensor& target) {
  const Index rows = logits.shape()[0], classes = logits.shape()[1];
  std::vector<double> losses(static_cast<std::size_t>(rows));
  share_out(rows, logits.elements(), [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      const Lane<T> row{logits.as<T>() + i * classes, classes, 1};
      const double best = largest(row);
      losses[static_cast<std::size_t>(i)] = std::log(sum_of_exp(row, best)) - (row.at(target_at(target, i)) - best);
    }
  });
  double sum = 0;
  for (const double loss : losses) sum += loss;
  GARNER_ASSIGN(Tensor out, Tensor::empty(logits.dtype(), {}));
  out.as<T>()[0] = rounded_once<T>(sum / static_cast<double>(rows));
  return out;
}

Result<Tensor> loss_there(const Tensor& logits, const Tensor& target) {
  GARNER_ASSIGN(const Tensor at, converted(target, DType::kI64));
  GARNER_ASSIGN(Tensor out, empty_at(logits.device(), logits.dtype(), {}));
  GARNER_TRY(on_device::cross_entropy(logits, at, out.view()));
  return out;
}

}  // namespace

Result<Tensor> softmax(const Tensor& a, Index axis) { return along<Softmax>(a, axis); }
Result<Tensor> log_softmax(const Tensor& a, Index axis) { return along<LogSoftmax>(a, axis); }

Result<Tensor> cross_entropy(const Tensor& logits, const Tensor& target) {
  GARNER_TRY(check_shapes(logits, target));
  if (!is_integer(target.dtype()))
    return fail(Code::kType, "G6", "{}: dtype of target is {}, allowed an integer dtype", kLoss, name(target.dtype()));
  if (target.device() != logits.device())
    return fail(Code::kInvalidArgument, "P23", "{}: the target lies on {}, allowed {} as the others", kLoss,
                name(target.device()), name(logits.device()));
  GARNER_ASSIGN(const Tensor here, fetched(target));
  GARNER_TRY(check_targets(here, logits.shape()[1]));
  if (!logits.device().is_cpu())
    return dispatch_offered<Floats>(kLoss, logits.dtype(), [&]<class>() { return loss_there(logits, target); });
  return dispatch_offered<Floats>(kLoss, logits.dtype(), [&]<class T>() { return mean_loss<T>(logits, target); });
}

Result<Tensor> one_hot_like(const Tensor& logits, const Tensor& target) {
  GARNER_ASSIGN(Tensor out, zeros_at(logits.device(), logits.dtype(), logits.shape()));
  if (!logits.device().is_cpu()) {
    GARNER_ASSIGN(const Tensor at, converted(target, DType::kI64));
    GARNER_TRY(on_device::mark_targets(at, out.view()));
    return out;
  }
  const Index classes = logits.shape()[1];
  dispatch(logits.dtype(), [&]<class T>() {
    for (Index i = 0; i < target.elements(); ++i) out.as<T>()[i * classes + target_at(target, i)] = convert<T>(1.0F);
  });
  return out;
}

}  // namespace garner::grad::plain
