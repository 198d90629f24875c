// From arguments that lie on a CUDA device to what its kernels are called with.
#pragma once
#include "base/fail.h"
#include "garner/cuda.h"
#include "index/cuda/kernels.h"
#include "index/order.h"
#include "index/truth.h"

namespace garner::index {

inline on_cuda::Where where(const View& view, const RunOptions& run) { return {view.device().number, run.stream}; }

/// The end of a call whose kernels were launched: RunOptions::wait waits for them.
inline Status finished(Status launched, const View& view, const RunOptions& run) {
  if (!launched.ok() || !run.wait) return launched;
  return cuda::check(run.stream, view.device().number);
}

/// How its kernels compare the elements. Rule V9: they do not know the dtype.
inline Result<KeyCode> code_there(const char* op, const View& view, const KeyRule& rule) {
  const KeyCode code = key_code(view.dtype(), rule);
  if (code.width > 0) return code;
  return fail(Code::kUnsupported, "V9", "{}: {} lies on {}, allowed cpu for this dtype", op, name(view.dtype()),
              garner::name(view.device()));
}

/// Packed whole numbers.
inline on_cuda::Integers integers_there(const View& view) {
  return {view.data(), view.elements(), width(view.dtype()), kind(view.dtype()) == Kind::kInt};
}

inline on_cuda::TruthSource truth_there(const Packed& packed) {
  const View& view = packed.view();
  return {view.data(), view.elements(), width(view.dtype()), truth_mask(view.dtype())};
}

}  // namespace garner::index
