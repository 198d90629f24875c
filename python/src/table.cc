// Tables of rows that need not fit memory (garner/table.h), and over the ranks of a group (garner/ranks.h). Words
// become numbers in garner/table.py, in the order of the enumerators.
#include "garner/table.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include "arrays.h"
#include "axes.h"
#include "define.h"
#include "garner/ranks.h"

namespace garner::python {
namespace {

constexpr OutOfRange kPolicies[] = {OutOfRange::kTrap, OutOfRange::kClamp, OutOfRange::kModulo, OutOfRange::kFill};

/// A table, and the array it looks at, if it does.
struct HeldTable {
  Table table;
  std::shared_ptr<Inputs> array;
};

struct Lookup {
  int policy;
  bool negative;
  double fill;
  LookupOptions options() const { return {kPolicies[policy], negative, fill}; }
};

void check(const Status& status) {
  if (!status.ok()) raise(status, "");
}

// ---- one process ----

HeldTable open(const std::string& path, std::tuple<int, Index, int, int> how, const std::optional<std::string>& dtype,
               const Axes& shape, Index offset) {
  TableOptions options;
  options.place = static_cast<Place>(std::get<0>(how));
  options.cache_bytes = std::get<1>(how);
  options.queue_depth = std::get<2>(how);
  options.reader = static_cast<DiskReader>(std::get<3>(how));
  if (dtype) options.dtype = dtype_named(*dtype);
  options.shape = shape;
  options.offset = offset;
  return {value_or_raise(released([&] { return tables::open(path, options); })), nullptr};
}

HeldTable over_array(nb::handle rows) {
  auto inputs = std::make_shared<Inputs>();
  const View view = inputs->view(rows);
  return {value_or_raise(tables::of(view)), std::move(inputs)};
}

nb::object gather(const HeldTable& held, nb::handle indices, nb::handle out, const Lookup& lookup) {
  Inputs in;
  const View view = in.view(indices);
  if (out.is_none())
    return array_of(value_or_raise(released([&] { return tables::gather(held.table, view, lookup.options()); })),
                    in.kind());
  const MutableView into = in.writable(out);
  check(released([&] { return tables::gather_into(held.table, view, into, lookup.options()); }));
  return nb::borrow(out);
}

/// A ticket, and whose arrays its indices were.
struct HeldTicket {
  Ticket ticket;
  nb::object kind;
};

HeldTicket prefetch(const HeldTable& held, nb::handle indices, const Lookup& lookup) {
  Inputs in;
  const View view = in.view(indices);
  return {released([&] { return held.table.prefetch(view, lookup.options()); }), in.kind()};
}

nb::object wait(const HeldTicket& held) {
  return array_of(value_or_raise(released([&] { return held.ticket.try_wait(); })), held.kind);
}

nb::dict stats(const HeldTable& held) {
  const TableStats s = held.table.stats();
  nb::dict out;
  out["lookups"] = s.lookups;
  out["unique"] = s.unique;
  out["hits"] = s.hits;
  out["reads"] = s.reads;
  out["bytes_asked"] = s.bytes_asked;
  out["bytes_read"] = s.bytes_read;
  out["bytes_sent"] = s.bytes_sent;
  out["bytes_received"] = s.bytes_received;
  out["amplification"] = s.amplification();
  return out;
}

nb::tuple shape_of(const HeldTable& held) {
  nb::list out;
  for (const Index extent : held.table.shape()) out.append(extent);
  return nb::tuple(out);
}

// ---- ranks, which a Python object speaks for ----

Status raised(const char* what, const nb::python_error& error) {
  return {Code::kSystem, "RK6", std::string(what) + ": " + error.what()};
}

nb::object memory(std::span<const std::byte> bytes) {
  auto* data = reinterpret_cast<char*>(const_cast<std::byte*>(bytes.data()));
  return nb::steal(PyMemoryView_FromMemory(data, static_cast<Py_ssize_t>(bytes.size()), PyBUF_READ));
}
nb::object memory(std::span<std::byte> bytes) {
  auto* data = reinterpret_cast<char*>(bytes.data());
  return nb::steal(PyMemoryView_FromMemory(data, static_cast<Py_ssize_t>(bytes.size()), PyBUF_WRITE));
}
template <class Spans>
nb::list memories(const Spans& spans) {
  nb::list out;
  for (const auto& span : spans) out.append(span.empty() ? nb::none() : memory(span));
  return out;
}

class HeldTransfer : public Transfer {
 public:
  HeldTransfer(nb::object transfer, std::shared_ptr<const void> keep)
      : transfer_(std::move(transfer)), keep_(std::move(keep)) {}
  ~HeldTransfer() override {
    nb::gil_scoped_acquire lock;
    try {
      if (!nb::cast<bool>(transfer_.attr("cancel")())) new std::shared_ptr<const void>(keep_);  // for good
    } catch (nb::python_error& error) { error.discard_as_unraisable("garner: a transfer that is called off"); }
    transfer_.reset();
  }
  Result<Index> poll() override {
    nb::gil_scoped_acquire lock;
    try {
      return nb::cast<Index>(transfer_.attr("poll")());
    } catch (const nb::python_error& error) { return raised("poll", error); }
  }
  int waits_for() const override {
    nb::gil_scoped_acquire lock;
    return nb::cast<int>(transfer_.attr("waits_for")());
  }

 private:
  nb::object transfer_;
  std::shared_ptr<const void> keep_;
};

class HeldRanks : public Ranks {
 public:
  explicit HeldRanks(nb::object group)
      : group_(std::move(group)),
        rank_(nb::cast<int>(group_.attr("rank"))),
        size_(nb::cast<int>(group_.attr("size"))),
        timeout_(nb::cast<double>(group_.attr("timeout"))) {}
  ~HeldRanks() override {
    nb::gil_scoped_acquire lock;
    group_.reset();
  }
  int rank() const override { return rank_; }
  int size() const override { return size_; }
  double timeout() const override { return timeout_; }
  Result<std::unique_ptr<Transfer>> start(Messages messages) override {
    nb::gil_scoped_acquire lock;
    try {
      nb::object transfer = group_.attr("start")(memories(messages.sends), memories(messages.receives));
      return std::unique_ptr<Transfer>(new HeldTransfer(std::move(transfer), std::move(messages.keep)));
    } catch (const nb::python_error& error) { return raised("start", error); }
  }

 private:
  nb::object group_;
  int rank_, size_;
  double timeout_;
};

HeldTable share(nb::object group, const HeldTable& whole, int shards, bool unique) {
  auto ranks = std::make_shared<HeldRanks>(std::move(group));
  const ShareOptions options{static_cast<Shards>(shards), unique};
  return {value_or_raise(released([&] { return tables::share(std::move(ranks), whole.table, options); })), nullptr};
}

/// A table of which this rank has these rows: an array of NumPy's that is read and written in place.
HeldTable share_rows(nb::object group, nb::handle rows, int shards, bool unique) {
  auto inputs = std::make_shared<Inputs>();
  const MutableView view = inputs->writable(rows);
  const Tensor mine = Tensor::over(std::shared_ptr<void>(inputs, view.mutable_data()), view.dtype(), view.shape(), {});
  auto ranks = std::make_shared<HeldRanks>(std::move(group));
  const ShareOptions options{static_cast<Shards>(shards), unique};
  return {value_or_raise(released([&] { return tables::share(std::move(ranks), mine, options); })), nullptr};
}

nb::object local(const HeldTable& held) {
  const MutableView rows = value_or_raise(tables::local(held.table));
  const std::shared_ptr<void> memory(held.table.backend(), rows.mutable_data());
  return array_over(Tensor::over(memory, rows.dtype(), rows.shape(), {}));
}

/// The ids of this rank's rows, in their order.
nb::object local_ids(const HeldTable& held, int rank) {
  const Sharding sharding = value_or_raise(tables::sharding(held.table));
  Tensor ids = value_or_raise(Tensor::empty(DType::kI64, {sharding.extent(rank)}));
  for (Index j = 0; j < ids.elements(); ++j) ids.as<Index>()[j] = sharding.id(sharding.begin(rank) + j);
  return array_of(ids, nb::none());
}

void scatter_add(const HeldTable& held, nb::handle indices, nb::handle updates, const Lookup& lookup) {
  Inputs in;
  const View at = in.view(indices), values = in.view(updates);
  check(released([&] { return tables::scatter_add(held.table, at, values, lookup.options()); }));
}

nb::object row_gradient(const HeldTable& held, nb::handle indices, nb::handle cotangent, const Lookup& lookup) {
  Inputs in;
  const View at = in.view(indices), back = in.view(cotangent);
  const RowGradient gradient =
      value_or_raise(released([&] { return tables::row_gradient(held.table, at, back, lookup.options()); }));
  return nb::make_tuple(array_of(gradient.rows, in.kind()), array_of(gradient.values, in.kind()));
}

}  // namespace

void define_table(nb::module_& module) {
  nb::class_<Lookup>(module, "Lookup")
      .def(nb::init<int, bool, double>(), nb::arg("policy"), nb::arg("negative"), nb::arg("fill"));
  nb::class_<HeldTicket>(module, "Ticket", "Rows under way to memory.")
      .def_prop_ro("ready", [](const HeldTicket& held) {
    return held.ticket.ready();
  }).def("wait", wait);
  nb::class_<HeldTable>(module, "Table", "Rows of one dtype and shape, in memory, on disk or over ranks.")
      .def_prop_ro("dtype", [](const HeldTable& held) { return name(held.table.dtype()).data(); })
      .def_prop_ro("shape", shape_of)
      .def_prop_ro("place", [](const HeldTable& held) { return static_cast<int>(held.table.place()); })
      .def("stats", stats)
      .def("gather", gather, nb::arg("indices"), nb::arg("out").none(), nb::arg("lookup"))
      .def("prefetch", prefetch, nb::arg("indices"), nb::arg("lookup"))
      .def("local", local)
      .def("local_ids", local_ids, nb::arg("rank"))
      .def("scatter_add", scatter_add, nb::arg("indices"), nb::arg("updates"), nb::arg("lookup"))
      .def("row_gradient", row_gradient, nb::arg("indices"), nb::arg("cotangent"), nb::arg("lookup"));
  module.def("open_table", open, nb::arg("path"), nb::arg("how"), nb::arg("dtype").none(), nb::arg("shape"),
             nb::arg("offset"));
  module.def("table_of", over_array, nb::arg("rows"));
  module.def("share", share, nb::arg("group"), nb::arg("whole"), nb::arg("shards"), nb::arg("unique"));
  module.def("share_rows", share_rows, nb::arg("group"), nb::arg("rows"), nb::arg("shards"), nb::arg("unique"));
}

}  // namespace garner::python
