#include "arrays.h"

#include "device_memory.h"
#include "exchange.h"
#include "garner/cuda.h"
#include "garner/dlpack.h"

#include <nanobind/stl/string.h>

#include <cstring>

namespace garner::python {
namespace {

/// Objects of other modules that every call needs. Never released: the interpreter may be gone before they are.
struct Python {
  PyObject *ndarray = nullptr, *generic = nullptr;
  PyObject* dtypes[std::size(kDTypes)] = {};  // None where ml_dtypes is missing
  bool needs_ml_dtypes[std::size(kDTypes)] = {};
  PyObject *as_numpy = nullptr, *from_numpy = nullptr, *raise = nullptr, *traced = nullptr;
};
Python python;

// ---- the memory of a result, as NumPy sees it ----

struct Memory {
  Tensor tensor;
};

int get_buffer(PyObject* self, Py_buffer* buffer, int flags) {
  Tensor& tensor = nb::inst_ptr<Memory>(self)->tensor;
  return PyBuffer_FillInfo(buffer, self, tensor.mutable_data(), tensor.bytes(), 0, flags);
}

PyType_Slot memory_slots[] = {{Py_bf_getbuffer, reinterpret_cast<void*>(get_buffer)}, {0, nullptr}};

nb::object shape_tuple(const Axes& shape) {
  PyObject* tuple = PyTuple_New(static_cast<Py_ssize_t>(shape.size()));
  for (std::size_t a = 0; a < shape.size(); ++a)
    PyTuple_SetItem(tuple, static_cast<Py_ssize_t>(a), PyLong_FromLongLong(shape[a]));
  return nb::steal(tuple);
}

nb::handle dtype_object(DType dtype) { return python.dtypes[static_cast<std::size_t>(dtype)]; }

/// NumPy itself has no such dtype, so its arrays offer no buffer.
bool needs_ml_dtypes(DType dtype) { return python.needs_ml_dtypes[static_cast<std::size_t>(dtype)]; }

void check_numpy_has(DType dtype) {
  if (dtype_object(dtype).is_none())
    throw nb::type_error("garner: NumPy has this dtype with the package ml_dtypes only, which is not installed");
}

nb::object numpy_array(const Tensor& tensor) {
  check_numpy_has(tensor.dtype());
  const auto copy = [&](void* out) {
    std::memcpy(out, tensor.data(), static_cast<std::size_t>(tensor.bytes()));
    return true;
  };
  if (nb::object array = small_array(tensor.dtype(), tensor.shape(), kCopied, copy)) return array;
  return array_over(tensor);
}

// ---- arguments ----

bool is_generic(nb::handle object) { return PyObject_IsInstance(object.ptr(), python.generic) == 1; }
bool is_sequence(nb::handle object) { return PyTuple_Check(object.ptr()) || PyList_Check(object.ptr()); }

Value number(nb::handle object) {
  int overflow = 0;
  const long long value = PyLong_AsLongLongAndOverflow(object.ptr(), &overflow);
  if (overflow != 0) raise({Code::kInvalidArgument, "PY2", "garner: an integer is no i64, allowed [-2^63, 2^63)"}, "");
  return Value{Index{value}};
}

/// What needs no memory of its own.
std::optional<Value> plain(nb::handle object) {
  PyObject* o = object.ptr();
  if (object.is_none()) return Value{};
  if (PyBool_Check(o)) return Value{o == Py_True};
  if (PyLong_Check(o)) return number(object);
  if (PyFloat_Check(o) && !is_generic(object)) return Value{PyFloat_AsDouble(o)};
  if (PyUnicode_Check(o)) return Value{Word{nb::cast<std::string>(object)}};
  if (o == Py_Ellipsis) return Value{Word{"Ellipsis"}};
  return std::nullopt;
}

}  // namespace

/// dtype: when the bytes are those of another one than the array's own.
Seen Inputs::ndarray(nb::handle object, std::optional<DType> dtype) {
  auto seen = see(object, dtype);
  if (!seen) return foreign(object);
  kept_.push_back(nb::borrow(object));
  bytes_ += seen->view.elements() * width(seen->dtype);
  return *std::move(seen);
}

Seen Inputs::foreign(nb::handle object) {
  if (const Exchange* exchange = exchange_of(object))
    if (const auto view = look_at(*exchange, object)) return exchanged(*exchange, object, *view);
  nb::object found = nb::handle(python.as_numpy)(object);  // (array, dtype name, kind, is it a copy?)
  nb::object array = found[0], kind = found[2];
  if (is_device_capsule(array)) return on_device(std::move(array), kind, nb::cast<bool>(found[3]));
  if (kind_.is_none()) kind_ = kind;
  Seen seen = ndarray(array, dtype_named(nb::cast<std::string>(found[1])));
  seen.read_only |= nb::cast<bool>(found[3]);
  return seen;
}

/// On a device the work goes to that library's own stream, so nothing has to wait for anything.
Seen Inputs::exchanged(const Exchange& exchange, nb::handle object, const MutableView& view) {
  kept_.push_back(nb::borrow(object));
  if (!view.device().is_cpu()) {
    if (streams_of_ != &exchange) stream_ = stream_on(exchange, view.device().number);  // two devices are refused
    streams_of_ = &exchange;
    on_device_ = true;
  } else {
    bytes_ += view.elements() * width(view.dtype());
  }
  if (kind_.is_none() || !view.device().is_cpu()) kind_ = nb::borrow(exchange.kind(view.device()));
  return {view.dtype(), false, view};
}

/// An array on a device decides whose arrays the results are, also where numbers of NumPy's came first.
Seen Inputs::on_device(nb::object capsule, const nb::object& kind, bool read_only) {
  const MutableView view = value_or_raise(mutable_from_dlpack(device_tensor(capsule)));
  const int device = view.device().number;
  kind_ = kind;
  on_device_ = true;
  streams_of_ = nullptr;
  stream_ = reinterpret_cast<void*>(nb::cast<std::uintptr_t>(kind.attr("stream")(device)));
  if (nb::cast<bool>(kind.attr("waits"))) awaited_ = device;
  kept_.push_back(std::move(capsule));
  return {view.dtype(), read_only, view};
}

void Inputs::settle(const std::string& dialect) const {
  if (!awaited_) return;
  const Status status = [&] {
    nb::gil_scoped_release release;
    return cuda::check(stream_, *awaited_);
  }();
  if (!status.ok()) raise(status, dialect);
}

Seen Inputs::array(nb::handle object) { return is_ndarray(object) ? ndarray(object, std::nullopt) : foreign(object); }

Value Inputs::list(nb::handle sequence) {
  auto items = std::make_shared<Values>();
  for (nb::handle item : sequence) items->push_back(value(item));
  return Value{std::move(items)};
}

Value Inputs::value(nb::handle object) {
  if (is_ndarray(object)) return Value{ndarray(object, std::nullopt).view};
  if (auto known = plain(object)) return *std::move(known);
  return is_sequence(object) ? list(object) : Value{array(object).view};
}

std::optional<MutableView> Inputs::quick_target(nb::handle object) {
  const Exchange* exchange = exchange_of(object);
  auto view = exchange != nullptr ? look_at(*exchange, object) : std::nullopt;
  if (view) exchanged(*exchange, object, *view);
  return view;
}

std::optional<Value> Inputs::quick_value(nb::handle object) {
  if (auto view = quick_target(object)) return Value{View(*view)};
  return exchange_of(object) == nullptr ? plain(object) : std::nullopt;
}

View Inputs::view(nb::handle object) { return array(object).view; }

MutableView Inputs::writable(nb::handle object) {
  const Seen seen = array(object);
  if (seen.read_only)
    raise({Code::kInvalidArgument, "PY1", "garner: the array to write to is read-only, or would have to be copied"},
          "");
  const View& view = seen.view;
  MutableView target(seen.dtype, const_cast<void*>(view.data()), view.shape(), view.stride());
  return view.device().is_cpu() ? target : target.on(view.device());
}

nb::object small_array(DType dtype, const Axes& shape, Index most, const std::function<bool(void*)>& fill) {
  const Index elements = View(dtype, nullptr, shape).elements();
  if (elements > most / width(dtype) || needs_ml_dtypes(dtype)) return {};
  FreshArray fresh = fresh_array(dtype_object(dtype), shape);
  return fill(fresh.data) ? std::move(fresh.array) : nb::object();
}

nb::object array_over(const Tensor& tensor) {
  check_numpy_has(tensor.dtype());
  return nb::handle(python.ndarray)(shape_tuple(tensor.shape()), dtype_object(tensor.dtype()),
                                    nb::cast(Memory{tensor}));
}

nb::object array_of(const Tensor& tensor, const nb::object& kind) {
  if (const Exchange* exchange = exchange_of_kind(kind);
      exchange != nullptr && kind.ptr() == exchange->kind(tensor.device()))
    return made_by(*exchange, tensor);
  if (!tensor.device().is_cpu()) {
    nb::object memory = device_memory(tensor);
    return kind.is_none() ? memory : kind.attr("from_device")(memory);
  }
  if (kind.is_none()) return numpy_array(tensor);
  return nb::handle(python.from_numpy)(nb::cast(Memory{tensor}), shape_tuple(tensor.shape()),
                                       nb::str(name(tensor.dtype()).data()), kind);
}

nb::object arrays_of(const std::vector<Tensor>& tensors, const nb::object& kind) {
  if (tensors.size() == 1) return array_of(tensors.front(), kind);
  nb::list out;
  for (const Tensor& tensor : tensors) out.append(array_of(tensor, kind));
  return nb::tuple(out);
}

nb::object object_of(const Value& value, const nb::object& kind) {
  if (const auto* tensor = std::get_if<Tensor>(&value.held)) return array_of(*tensor, kind);
  const auto* items = std::get_if<std::shared_ptr<Values>>(&value.held);
  if (items == nullptr) return nb::none();
  nb::list out;
  for (const Value& item : **items) out.append(object_of(item, kind));
  return nb::tuple(out);
}

void raise(const Status& status, const std::string& dialect) {
  nb::handle(python.raise)(static_cast<int>(status.code), status.rule.c_str(), status.message.c_str(), dialect.c_str());
  throw std::runtime_error("garner: an error that was not raised: " + status.message);
}

nb::handle traced_error() { return python.traced; }

void load_arrays(nb::module_& module) {
  load_numpy();
  define_device_memory(module);
  define_exchange(module);
  nb::class_<Memory>(module, "Memory", nb::type_slots(memory_slots), "The bytes of a result; NumPy looks at them.");
  const auto take = [](nb::object object) { return object.release().ptr(); };
  nb::module_ numpy = nb::module_::import_("numpy"), arrays = nb::module_::import_("garner._arrays");
  python.ndarray = take(numpy.attr("ndarray"));
  python.generic = take(numpy.attr("generic"));
  python.as_numpy = take(arrays.attr("as_numpy"));
  python.from_numpy = take(arrays.attr("from_numpy"));
  python.traced = take(arrays.attr("Traced"));
  python.raise = take(nb::module_::import_("garner._errors").attr("raise_status"));
  for (std::size_t i = 0; i < std::size(kDTypes); ++i) {
    const nb::str name(kDTypes[i].name.data());
    python.dtypes[i] = take(arrays.attr("numpy_dtype")(name));
    python.needs_ml_dtypes[i] = nb::cast<bool>(arrays.attr("needs_ml_dtypes")(name));
  }
}

}  // namespace garner::python
