// Arrays of Python seen as Garner's views, and Garner's tensors given back as arrays. NumPy arrays are read in place
// (numpy.h); what else there is (torch, JAX, DLPack, other dtypes than NumPy's own) garner._arrays
// turns into one without a copy.
#pragma once
#include <nanobind/nanobind.h>

#include <functional>
#include <vector>

#include "garner/call.h"
#include "numpy.h"

namespace garner::python {

struct Exchange;

namespace nb = nanobind;

/// The arguments of one call, and what keeps their memory alive: for as long as this is there. `kind` is whose
/// arrays they are: None for NumPy's.
class Inputs {
 public:
  Inputs() { kept_.reserve(4); }
  Inputs(const Inputs&) = delete;
  Inputs& operator=(const Inputs&) = delete;

  Value value(nb::handle object);
  View view(nb::handle object);  // an array; numbers and lists become one
  MutableView writable(nb::handle object);  // ValueError when it is read-only or would have to be copied

  /// A tensor that is exchanged in C, a number, a word or nothing; none where more must be asked for.
  std::optional<Value> quick_value(nb::handle object);
  std::optional<MutableView> quick_target(nb::handle object);

  const nb::object& kind() const { return kind_; }
  /// So little to read, and here, that the interpreter's lock is not worth giving away: that takes a tenth of the call.
  bool are_quick() const { return bytes_ <= kQuick && !on_device_; }
  /// Where the work goes: the current stream of the library whose arrays lie on a device.
  void* stream() const { return stream_; }
  /// After the work has been given to the stream: waits for it where the arguments' memory may be used for something
  /// else as soon as the call returns, and raises its bad index.
  void settle(const std::string& dialect = "") const;

 private:
  Seen ndarray(nb::handle object, std::optional<DType> dtype);
  Seen foreign(nb::handle object);
  Seen on_device(nb::object capsule, const nb::object& kind, bool read_only);
  Seen exchanged(const Exchange& exchange, nb::handle object, const MutableView& view);
  Seen array(nb::handle object);
  Value list(nb::handle sequence);

  static constexpr Index kQuick = 16 << 10;
  Index bytes_ = 0;  // of all arrays of the CPU's together
  bool on_device_ = false;
  std::vector<nb::object> kept_;
  nb::object kind_ = nb::none();
  void* stream_ = nullptr;
  const Exchange* streams_of_ = nullptr;  // whose stream it is, if it was asked for in C
  std::optional<int> awaited_;  // a device
};

/// Bytes of a result that is written straight to an array NumPy makes, or copied there: handing memory of the pool over
/// takes a microsecond.
inline constexpr Index kDirect = 65536, kCopied = 16384;

/// A NumPy array that `fill` writes to; null when it has more than `most` bytes, is of a dtype NumPy does not have, or
/// `fill` says false.
nb::object small_array(DType dtype, const Axes& shape, Index most, const std::function<bool(void*)>& fill);

/// A NumPy array over the tensor's memory, or of the kind the inputs were.
nb::object array_of(const Tensor& tensor, const nb::object& kind);

/// A NumPy array over the tensor's memory, however small: what is written to it, the tensor has.
nb::object array_over(const Tensor& tensor);

/// One result alone, several as a tuple.
nb::object arrays_of(const std::vector<Tensor>& tensors, const nb::object& kind);

/// The arguments of a gradient: arrays where there is one, None elsewhere, tuples for lists.
nb::object object_of(const Value& value, const nb::object& kind);

/// Raises the Python exception that belongs to a status; `dialect` may have its own classes.
[[noreturn]] void raise(const Status& status, const std::string& dialect);

template <class T>
T value_or_raise(Result<T> result, const std::string& dialect = "") {
  if (!result.ok()) raise(result.status(), dialect);
  return *std::move(result);
}

/// Work without the interpreter's lock.
template <class F>
auto released(const F& f) {
  nb::gil_scoped_release release;
  return f();
}
/// The same, unless it is quick.
template <class F>
auto released(const Inputs& inputs, const F& f) {
  std::optional<nb::gil_scoped_release> release;
  if (!inputs.are_quick()) release.emplace();
  return f();
}

/// garner._arrays.Traced: raised for an array whose framework must make the call itself.
nb::handle traced_error();

/// Looks up what the Python side provides; once, when the module is loaded.
void load_arrays(nb::module_& module);

}  // namespace garner::python
