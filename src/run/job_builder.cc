#include "run/job_builder.h"

#include <numeric>

namespace garner {
namespace {

/// Where the caller promised that it broadcasts, the error cannot come up; should it, run() refuses the job (P19).
View broadcast_or_same(const View& view, const Axes& domain) {
  const auto wide = broadcast_to(view, domain);
  return wide.ok() ? *wide : view;
}

/// Strides along the domain of a tensor whose axis j runs along domain axis domain_axis[j].
Axes strides_along(const View& index, const Axes& domain, const Axes& domain_axis) {
  Axes stride(domain.size(), 0);
  for (Index j = 0; j < index.rank(); ++j)
    if (index.extent(j) != 1)
      stride[static_cast<std::size_t>(domain_axis[static_cast<std::size_t>(j)])] += index.stride(j);
  return stride;
}

}  // namespace

Axes axes_from(Index first, Index count) {
  Axes axes(static_cast<std::size_t>(count));
  std::iota(axes.begin(), axes.end(), first);
  return axes;
}

JobBuilder::JobBuilder(std::string op, const Axes& indexed_shape, DType dtype, Axes domain) {
  job_.op = std::move(op);
  job_.plan.dtype = dtype;
  job_.plan.domain = std::move(domain);
  job_.plan.dense_stride = row_major(job_.plan.domain);
  const Axes stride = row_major(indexed_shape);
  for (std::size_t a = 0; a < indexed_shape.size(); ++a)
    job_.plan.indexed.push_back({.extent = indexed_shape[a],
                                 .stride = stride[a],
                                 .offset = 0,
                                 .step = Axes(job_.plan.domain.size(), 0),
                                 .term = -1});
}

JobBuilder JobBuilder::gather(std::string op, const View& operand, Axes domain) {
  JobBuilder b(std::move(op), operand.shape(), operand.dtype(), std::move(domain));
  b.job_.operand = operand;
  b.job_.result_shape = b.job_.plan.domain;
  for (Index a = 0; a < operand.rank(); ++a) b.axis(a).stride = operand.stride(a);
  return b;
}

JobBuilder JobBuilder::scatter(std::string op, const View& operand, const View& updates, Combine combine) {
  JobBuilder b = scatter_zeros(std::move(op), operand.shape(), updates, combine);
  b.job_.operand = operand;
  b.job_.plan.dtype = operand.dtype();
  return b;
}

JobBuilder JobBuilder::scatter_zeros(std::string op, const Axes& target_shape, const View& updates, Combine combine) {
  JobBuilder b(std::move(op), target_shape, updates.dtype(), updates.shape());
  b.job_.plan.direction = Direction::kScatter;
  b.job_.plan.combine = combine;
  b.job_.plan.dense_stride = updates.stride();
  b.job_.updates = updates;
  b.job_.result_shape = target_shape;
  return b;
}

int JobBuilder::term(const View& index, const Axes& domain_axis, const Bounds& bounds, std::string name,
                     std::string rule) {
  job_.plan.terms.push_back({index.dtype(), strides_along(index, job_.plan.domain, domain_axis), bounds});
  job_.indices.push_back(index);
  TermLabel label{std::move(name), std::move(rule), domain_axis, Axes(domain_axis.size(), 0)};
  for (std::size_t j = 0; j < domain_axis.size(); ++j)
    if (index.extent(static_cast<Index>(j)) == 1) label.domain_axis[j] = -1;  // stretched: always its element 0
  job_.labels.push_back(std::move(label));
  return static_cast<int>(job_.plan.terms.size()) - 1;
}

// NOLINTNEXTLINE(readability-function-size): what term() takes, and which component
int JobBuilder::component(const View& indices, Index axis, Index k, const Axes& domain_axis, const Bounds& bounds,
                          std::string name, std::string rule) {
  const int number = term(slice_at(indices, axis, k), domain_axis, bounds, std::move(name), std::move(rule));
  TermLabel& label = job_.labels.back();
  label.domain_axis.insert(label.domain_axis.begin() + axis, -1);
  label.fixed.insert(label.fixed.begin() + axis, k);
  return number;
}

JobBuilder& JobBuilder::follow(Index a, Index domain_axis, Index step) {
  axis(a).step[static_cast<std::size_t>(domain_axis)] += step;
  return *this;
}

JobBuilder& JobBuilder::look_up(Index a, int term) {
  axis(a).term = term;
  return *this;
}

JobBuilder& JobBuilder::shift(Index a, Index offset) {
  axis(a).offset += offset;
  return *this;
}

JobBuilder& JobBuilder::mask(const View& mask) {
  job_.mask = broadcast_or_same(mask, job_.plan.domain);
  job_.plan.mask_stride = job_.mask->stride();
  return *this;
}

JobBuilder& JobBuilder::fill(const View& fill) {
  job_.fill = broadcast_or_same(fill, job_.plan.domain);
  job_.plan.fill_stride = job_.fill->stride();
  return *this;
}

JobBuilder& JobBuilder::fetch() {
  job_.plan.fetch_stride = row_major(job_.plan.domain);
  return *this;
}

}  // namespace garner
