#include "kernel/common/combine.h"

#include "device/cpu/prefetch.h"
#include "dtype/convert.h"
#include "kernel/common/block_sums.h"
#include "kernel/common/combine_ops.h"
#include "kernel/common/float_add.h"
#include "kernel/common/width.h"

namespace garner {
namespace {

using namespace combine_ops;

template <class Op, class T>
T apply(T a, T b) {
  return convert<T>(Op::apply(to_compute(a), to_compute(b)));
}

template <class Op, class T>
void run_of(void* dst, const void* src, Index n) {
  auto* d = static_cast<T*>(dst);
  const auto* s = static_cast<const T*>(src);
  for (Index i = 0; i < n; ++i) d[i] = apply<Op, T>(d[i], s[i]);
}

template <class Op, class T>
void at_of(void* dst, const void* src, Index src_step, const Targets& targets) {
  auto* d = static_cast<T*>(dst);
  const auto* s = static_cast<const T*>(src);
  for (Index j = 0; j < targets.count; ++j) {
    if (!targets.take(j)) continue;
    T& target = d[targets.offset[j]];
    target = apply<Op, T>(target, s[j * src_step]);
  }
}

template <class Op, class T>
void list_of(void* dst, const void* src, const std::int32_t* offset, const std::int32_t* source, Index n) {
  auto* d = static_cast<T*>(dst);
  const auto* s = static_cast<const T*>(src);
  for (Index m = 0; m < n; ++m) {
    ask_for(d + offset[m + kListAhead]);
    T& target = d[offset[m]];
    target = apply<Op, T>(target, s[source[m]]);
  }
}

template <class Op, class T>
void near_of(void* dst, const void* src, const NearLines& near) {
  auto* d = static_cast<T*>(dst);
  const auto* s = static_cast<const T*>(src);
  const std::int32_t* offset = near.offset;
  for (Index n = 0; n < near.lines; ++n, s += near.src_pitch, offset += near.count) {
    if (near.ahead > 0) ask_for(s + near.ahead * near.src_pitch, near.count * static_cast<Index>(sizeof(T)));
    for (Index j = 0; j < near.count; ++j) d[offset[j]] = apply<Op, T>(d[offset[j]], s[j]);
  }
}

template <class Op, class T>
constexpr Combiner combiner_of() {
  return {run_of<Op, T>, at_of<Op, T>, list_of<Op, T>, near_of<Op, T>};
}

template <class Op>
Combiner make(DType dtype) {
  return dispatch(dtype, []<class T>() { return combiner_of<Op, T>(); });
}

Combiner make_add(DType dtype) {
  Combiner out = make<Add>(dtype);
  if (const CombineRun fast = float_add(dtype)) out.run = fast;
  return out;
}

}  // namespace

Combiner combiner_for(Combine combine, DType dtype) {
  switch (combine) {
    case Combine::kAdd: return make_add(dtype);
    case Combine::kMul: return make<Mul>(dtype);
    case Combine::kMin: return make<Min>(dtype);
    case Combine::kMax: return make<Max>(dtype);
    case Combine::kAnd: return make<And>(dtype);
    case Combine::kOr: return make<Or>(dtype);
    case Combine::kXor: return make<Xor>(dtype);
    case Combine::kAssign:
    case Combine::kCompareExchange:
    case Combine::kUser: break;
  }
  return dispatch_width(width(dtype), []<class U>() { return combiner_of<Assign, U>(); });
}

ElementCombiner::ElementCombiner(const Launch& launch)
    : launch_(launch),
      combiner_(combiner_for(launch.plan.combine, launch.plan.dtype)),
      targets_(launch.buffers.indexed.size()),
      updates_(launch.buffers.indexed.size()) {
  Index positions = 1;
  for (const Index extent : launch.plan.domain) positions *= extent;
  if (launch.sum_block > 0 && positions > launch.sum_block)
    sums_ = std::make_unique<BlockSums>(launch, combiner_, 0, 1);
}

ElementCombiner::~ElementCombiner() = default;

void ElementCombiner::user(Index to, Index from) {
  const Buffers& b = launch_.buffers;
  for (std::size_t n = 0; n < targets_.size(); ++n) {
    targets_[n] = element_at(b.indexed[n], to, b.widths[n]);
    updates_[n] = element_at(b.dense[n], from, b.widths[n]);
  }
  (*b.user)(targets_.data(), updates_.data());
}

void ElementCombiner::operator()(Index to, Index from, const void* expected) {
  if (launch_.plan.combine == Combine::kUser) return user(to, from);
  const int bytes = launch_.buffers.widths[0];
  if (sums_) return sums_->add(to, element_at(launch_.buffers.dense[0], from, bytes));
  void* current = element_at(launch_.buffers.indexed[0], to, bytes);
  const bool blocked = launch_.plan.combine == Combine::kCompareExchange &&
                       std::memcmp(current, expected, static_cast<std::size_t>(bytes)) != 0;
  if (!blocked) combiner_.run(current, element_at(launch_.buffers.dense[0], from, bytes), 1);
}

}  // namespace garner
