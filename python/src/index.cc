// The functions of garner/index.h.
#include "garner/index.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "arrays.h"
#include "axes.h"
#include "define.h"

namespace garner::python {
namespace {

using MaybeAxis = std::optional<Index>;

/// The work, and then what the arrays' library needs.
template <class F>
auto settled(const Inputs& inputs, const F& f) {
  auto result = released(inputs, f);
  inputs.settle();
  return result;
}
/// The same on the stream of the arrays, and the result in the caller's kind of array.
template <class F>
nb::object one(const Inputs& inputs, const F& f) {
  const OnStream on(inputs.stream());
  return array_of(value_or_raise(settled(inputs, f)), inputs.kind());
}

Side side_of(const std::string& word) {
  if (word != "left" && word != "right")
    raise({Code::kInvalidArgument, "IX1", "searchsorted: side is " + word + ", allowed left right"}, "");
  return word == "left" ? Side::kLeft : Side::kRight;
}

nb::object argmax(nb::handle x, MaybeAxis axis, bool keepdims) {
  Inputs in;
  const View view = in.view(x);
  return one(in, [&] { return index::argmax(view, {.axis = axis, .keepdims = keepdims}); });
}
nb::object argmin(nb::handle x, MaybeAxis axis, bool keepdims) {
  Inputs in;
  const View view = in.view(x);
  return one(in, [&] { return index::argmin(view, {.axis = axis, .keepdims = keepdims}); });
}
nb::object nonzero(nb::handle x, bool columns, MaybeAxis capacity, Index fill) {
  Inputs in;
  const View view = in.view(x);
  const NonzeroOptions options{columns ? Layout::kColumns : Layout::kRows, capacity, fill};
  return one(in, [&] { return index::nonzero(view, options); });
}
nb::object flatnonzero(nb::handle x) {
  Inputs in;
  const View view = in.view(x);
  return one(in, [&] { return index::flatnonzero(view); });
}
nb::object count_nonzero(nb::handle x, MaybeAxis axis, bool keepdims) {
  Inputs in;
  const View view = in.view(x);
  return one(in, [&] { return index::count_nonzero(view, {.axis = axis, .keepdims = keepdims}); });
}
nb::object sort(nb::handle x, Index axis, bool descending) {
  Inputs in;
  const View view = in.view(x);
  return one(in, [&] { return index::sort(view, {.axis = axis, .descending = descending}); });
}
nb::object argsort(nb::handle x, Index axis, bool descending) {
  Inputs in;
  const View view = in.view(x);
  return one(in, [&] { return index::argsort(view, {.axis = axis, .descending = descending}); });
}
nb::object top_k(nb::handle x, Index k, Index axis, bool largest, bool sorted) {
  Inputs in;
  const View view = in.view(x);
  const TopKOptions options{.axis = axis, .largest = largest, .sorted = sorted};
  const OnStream on(in.stream());
  const TopK out = value_or_raise(settled(in, [&] { return index::top_k(view, k, options); }));
  return nb::make_tuple(array_of(out.values, in.kind()), array_of(out.indices, in.kind()));
}
nb::object searchsorted(nb::handle sequence, nb::handle values, const std::string& side) {
  Inputs in;
  const View s = in.view(sequence), v = in.view(values);
  const Side where = side_of(side);
  return one(in, [&] { return index::searchsorted(s, v, where); });
}
nb::object unique(nb::handle x) {
  Inputs in;
  const View view = in.view(x);
  const OnStream on(in.stream());
  const Unique out = value_or_raise(settled(in, [&] { return index::unique(view); }));
  return nb::make_tuple(array_of(out.values, in.kind()), array_of(out.index, in.kind()),
                        array_of(out.inverse, in.kind()), array_of(out.counts, in.kind()));
}
nb::object where(nb::handle condition, nb::handle a, nb::handle b) {
  Inputs in;
  const View c = in.view(condition), x = in.view(a), y = in.view(b);
  return one(in, [&] { return index::where(c, x, y); });
}
nb::object one_hot(nb::handle indices, Index depth, Index axis) {
  Inputs in;
  const View view = in.view(indices);
  return one(in, [&] { return index::one_hot(view, depth, {.axis = axis}); });
}
nb::object compress(nb::handle x, nb::handle condition, MaybeAxis axis) {
  Inputs in;
  const View view = in.view(x), keep = in.view(condition);
  return one(in, [&] { return index::compress(view, keep, {.axis = axis}); });
}
nb::object bincount(nb::handle x, nb::object weights, Index min_length) {
  Inputs in;
  const View view = in.view(x);
  BincountOptions options{.min_length = min_length};
  if (!weights.is_none()) options.weights = in.view(weights);
  return one(in, [&] { return index::bincount(view, options); });
}
nb::object histogram(nb::handle values, nb::handle edges) {
  Inputs in;
  const View v = in.view(values), e = in.view(edges);
  return one(in, [&] { return index::histogram(v, e); });
}
nb::object ravel(nb::handle coordinates, const Axes& shape) {
  Inputs in;
  const View view = in.view(coordinates);
  return one(in, [&] { return index::ravel_multi_index(view, shape); });
}
nb::object unravel(nb::handle positions, const Axes& shape) {
  Inputs in;
  const View view = in.view(positions);
  return one(in, [&] { return index::unravel_index(view, shape); });
}

}  // namespace

void define_index(nb::module_& m) {
  const auto axis = nb::arg("axis") = nb::none();
  const auto keepdims = nb::arg("keepdims") = false;
  m.def("argmax", argmax, nb::arg("x"), axis, keepdims);
  m.def("argmin", argmin, nb::arg("x"), axis, keepdims);
  m.def("nonzero", nonzero, nb::arg("x"), nb::arg("columns") = false, nb::arg("capacity") = nb::none(),
        nb::arg("fill") = -1);
  m.def("flatnonzero", flatnonzero, nb::arg("x"));
  m.def("count_nonzero", count_nonzero, nb::arg("x"), axis, keepdims);
  m.def("sort", sort, nb::arg("x"), nb::arg("axis") = -1, nb::arg("descending") = false);
  m.def("argsort", argsort, nb::arg("x"), nb::arg("axis") = -1, nb::arg("descending") = false);
  m.def("top_k", top_k, nb::arg("x"), nb::arg("k"), nb::arg("axis") = -1, nb::arg("largest") = true,
        nb::arg("sorted") = true);
  m.def("searchsorted", searchsorted, nb::arg("sequence"), nb::arg("values"), nb::arg("side") = "left");
  m.def("unique", unique, nb::arg("x"));
  m.def("where", where, nb::arg("condition"), nb::arg("x"), nb::arg("y"));
  m.def("one_hot", one_hot, nb::arg("indices"), nb::arg("depth"), nb::arg("axis") = -1);
  m.def("compress", compress, nb::arg("x"), nb::arg("condition"), axis);
  m.def("bincount", bincount, nb::arg("x"), nb::arg("weights") = nb::none(), nb::arg("min_length") = 0);
  m.def("histogram", histogram, nb::arg("values"), nb::arg("edges"));
  m.def("ravel_multi_index", ravel, nb::arg("coordinates"), nb::arg("shape"));
  m.def("unravel_index", unravel, nb::arg("positions"), nb::arg("shape"));
}

}  // namespace garner::python
