// How a dialect writes its lowering: name the domain, then say what each axis of the indexed side follows.
#pragma once
#include "garner/run.h"

namespace garner {

class JobBuilder {
 public:
  /// result[d] = operand[…]; the result has the domain's shape.
  static JobBuilder gather(std::string op, const View& operand, Axes domain);
  /// result = operand; result[…] = combine(result[…], updates[d]); the domain is the updates' shape.
  static JobBuilder scatter(std::string op, const View& operand, const View& updates, Combine combine);
  /// The same on zeros of a given shape.
  static JobBuilder scatter_zeros(std::string op, const Axes& target_shape, const View& updates, Combine combine);

  /// An index tensor whose axis j runs along domain axis `domain_axis[j]` (extent 1 may stretch). Returns its number.
  int term(const View& index, const Axes& domain_axis, const Bounds& bounds, std::string name, std::string rule);
  /// The same for component `k` along `axis` of a tensor of index vectors; domain_axis leaves that axis out.
  int component(const View& indices, Index axis, Index k, const Axes& domain_axis, const Bounds& bounds,
                std::string name, std::string rule);

  /// Axis a of the indexed side is …
  JobBuilder& follow(Index a, Index domain_axis, Index step = 1);  // … + step * d[domain_axis]
  JobBuilder& look_up(Index a, int term);  // … + the term's value
  JobBuilder& shift(Index a, Index offset);  // … + offset

  /// Tensors broadcast (right-aligned) to the domain; the caller has checked that they do.
  JobBuilder& mask(const View& mask);
  JobBuilder& fill(const View& fill);
  JobBuilder& fetch();  // scatter: also give back the value before each update

  Job build() && { return std::move(job_); }
  const Axes& domain() const { return job_.plan.domain; }

 private:
  JobBuilder(std::string op, const Axes& indexed_shape, DType dtype, Axes domain);
  AxisMap& axis(Index a) { return job_.plan.indexed[static_cast<std::size_t>(a)]; }
  Job job_;
};

/// 0, 1, …, n-1: the axis list of an index tensor that lies along the domain from `first` on.
Axes axes_from(Index first, Index count);

}  // namespace garner
