// Dialect calls on arrays of a device, for a benchmark in Python that has neither our package nor its compiler.
#include <string>

#include "garner/call.h"
#include "garner/cuda.h"
#include "garner/error.h"
#include "garner/index.h"

namespace {

using garner::Axes;
using garner::Index;

constexpr int kMostAxes = 8;
enum class ArgumentKind : int { kArray, kInteger, kWord };

struct Argument {
  ArgumentKind kind;
  int dtype;  // a number in dtypes.def
  void* data;
  int rank;
  Index shape[kMostAxes], stride[kMostAxes];
  Index integer;
  const char* word;
};

thread_local std::string last_error;

garner::MutableView view_of(const Argument& a) {
  return garner::MutableView(static_cast<garner::DType>(a.dtype), a.data, Axes(a.shape, a.shape + a.rank),
                             Axes(a.stride, a.stride + a.rank))
      .on(garner::cuda::device());
}

garner::Value value_of(const Argument& a) {
  if (a.kind == ArgumentKind::kArray) return {garner::View(view_of(a))};
  if (a.kind == ArgumentKind::kInteger) return {a.integer};
  return {garner::Word{a.word}};
}

int said(const garner::Status& status) {
  last_error = status.rule + " " + status.message;
  return status.ok() ? 0 : 1;
}

}  // namespace

extern "C" {

const char* garner_error() { return last_error.c_str(); }

void* garner_operation(const char* dialect, const char* name) {
  auto found = garner::Operation::find(dialect, name);
  if (!found.ok()) return said(found.status()), nullptr;
  return new garner::Operation(*std::move(found));
}

/// Into `out`, or, where that is null, into fresh memory that is dropped at once.
int garner_call(void* operation, const Argument* arguments, int count, const Argument* out, void* stream, int level) {
  garner::Values values;
  for (int i = 0; i < count; ++i) values.push_back(value_of(arguments[i]));
  const garner::RunOptions options{.determinism = static_cast<garner::Determinism>(level), .stream = stream};
  const auto& op = *static_cast<garner::Operation*>(operation);
  if (out == nullptr) return said(op.call(std::move(values), options).status());
  return said(op.call_into(std::move(values), view_of(*out), options).status());
}

/// Functions that return indices, into `out`: argmax(x) or (x, axis), nonzero(x), searchsorted(sequence, values).
/// `wait`: for the number of positions as well.
int garner_index(const char* name, const Argument* arguments, int count, const Argument* out, void* stream, int wait) {
  const garner::RunOptions options{.stream = stream, .wait = wait != 0};
  const std::string function = name;
  const garner::View x = view_of(arguments[0]);
  if (function == "nonzero") return said(garner::index::nonzero_into(x, view_of(*out), {}, options).status());
  if (function == "searchsorted")
    return said(
        garner::index::searchsorted_into(x, view_of(arguments[1]), view_of(*out), garner::Side::kLeft, options));
  garner::ArgOptions which;
  if (count > 1) which.axis = arguments[1].integer;
  return said(garner::index::argmax_into(x, view_of(*out), which, options));
}

int garner_check(void* stream) { return said(garner::cuda::check(stream)); }
}
