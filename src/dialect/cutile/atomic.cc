// cutile.atomic_*(array, indices, update, /, *, check_bounds=True, memory_order=ACQ_REL, memory_scope=DEVICE)
// cutile.atomic_cas(array, indices, expected, desired, /, *, …)
//   before[p] = array[indices[0][p], …]; array[…] = f(before[p], update[p]), for p in row-major order
// Checks run in the source's order: indices, array dtype, values, memory order, memory scope.
#include <utility>

#include "base/fail.h"
#include "dialect/cutile/access.h"
#include "dialect/cutile/arguments.h"
#include "garner/error.h"

namespace garner::cutile {
namespace {

// What the source's hardware does in one step.
constexpr bool is_word_integer(DType t) { return is_integer(t) && width(t) >= 4; }
constexpr bool is_word(DType t) { return is_word_integer(t) || t == DType::kF32 || t == DType::kF64; }
constexpr bool is_addable(DType t) { return is_word(t) || t == DType::kF16 || t == DType::kBF16; }

struct Family {
  bool (*has)(DType);
  const char* text;
};
constexpr Family kWordIntegers{is_word_integer, "i32 i64 u32 u64"};
constexpr Family kWords{is_word, "i32 i64 u32 u64 f32 f64"};
constexpr Family kAddable{is_addable, "i32 i64 u32 u64 f16 bf16 f32 f64"};

struct Spec {
  const char* op;
  Combine combine;
  Family family;
};
/// In the order of Atomic.
constexpr Spec kSpecs[] = {
    {"cutile.atomic_add", Combine::kAdd, kAddable},      {"cutile.atomic_max", Combine::kMax, kWordIntegers},
    {"cutile.atomic_min", Combine::kMin, kWordIntegers}, {"cutile.atomic_and", Combine::kAnd, kWordIntegers},
    {"cutile.atomic_or", Combine::kOr, kWordIntegers},   {"cutile.atomic_xor", Combine::kXor, kWordIntegers},
    {"cutile.atomic_xchg", Combine::kAssign, kWords},
};
constexpr Spec kCas{"cutile.atomic_cas", Combine::kCompareExchange, kWords};

Result<Access> atomic_access(const Spec& spec, const View& array, const Indices& indices) {
  GARNER_ASSIGN(Access access, make_access(spec.op, array, indices));
  if (spec.family.has(array.dtype())) return access;
  return fail(Code::kType, "CTA1", "{}: array is {}, allowed {}", spec.op, name(array.dtype()), spec.family.text);
}

constexpr bool is_bitwise(Combine combine) {
  return combine == Combine::kAnd || combine == Combine::kOr || combine == Combine::kXor;
}

/// A literal has the source's default dtype; it counts only where no cast is made.
struct OwnDType {
  DType operator()(bool) const { return DType::kBool; }
  DType operator()(Index value) const { return std::in_range<std::int32_t>(value) ? DType::kI32 : DType::kI64; }
  DType operator()(double) const { return DType::kF32; }
  DType operator()(const View& tile) const { return tile.dtype(); }
};

/// The bitwise three take no cast, not even one that keeps the value.
Status check_bitwise(const Spec& spec, const View& array, const TileOrConstant& update) {
  const DType own = std::visit(OwnDType{}, update);
  if (!is_bitwise(spec.combine) || own == array.dtype()) return {};
  return fail(Code::kType, "CTA4", "{}: update is {}, allowed {} (the dtype of array)", spec.op, name(own),
              name(array.dtype()));
}

Status check_memory(const Spec& spec, const AtomicOptions& options) {
  if (options.memory_order == MemoryOrder::kWeak)
    return fail(Code::kType, "CTA5", "{}: memory_order is WEAK, allowed RELAXED ACQUIRE RELEASE ACQ_REL", spec.op);
  if (options.memory_scope == MemoryScope::kNone)
    return fail(Code::kType, "CTA6", "{}: memory_scope is NONE, allowed BLOCK DEVICE SYS", spec.op);
  return {};
}

/// Updates the array in place and gives what was there before.
Tensor fetch(const Result<Job>& lowered, const MutableView& array, const RunOptions& run) {
  const Job job = value_or_throw(lowered);
  Tensor before = value_or_throw(Tensor::empty(array.dtype(), job.plan.domain));
  value_or_throw(run_in_place(job, array, &before.view(), run));
  return before;
}

template <Atomic kAtomic>
Result<Jobs> lower_call(Arguments& a) {
  const View array = a.tensor("array");
  const Indices indices = indices_argument(a);
  const TileOrConstant update = value_argument(a, "update");
  GARNER_TRY(a.status());
  GARNER_ASSIGN(const AtomicOptions options, atomic_options(a));
  return one(lower_atomic(kAtomic, array, indices, update, options));
}

}  // namespace

Result<Job> lower_atomic(Atomic atomic, const View& array, const Indices& indices, const TileOrConstant& update,
                         const AtomicOptions& options) {
  const Spec& spec = kSpecs[static_cast<std::size_t>(atomic)];
  GARNER_ASSIGN(Access access, atomic_access(spec, array, indices));
  GARNER_TRY(check_bitwise(spec, array, update));
  GARNER_ASSIGN(const View updates, value_tile(access, {"update", "CTA2", "CTA3", update}));
  GARNER_TRY(check_memory(spec, options));
  JobBuilder job = scatter_job(access, updates, spec.combine, options.check_bounds);
  job.fetch();
  return finish(std::move(job), std::move(access));
}

Result<Job> lower_atomic_cas(const View& array, const Indices& indices, const TileOrConstant& expected,
                             const TileOrConstant& desired, const AtomicOptions& options) {
  GARNER_ASSIGN(Access access, atomic_access(kCas, array, indices));
  GARNER_ASSIGN(const View compared, value_tile(access, {"expected", "CTA2", "CTA3", expected}));
  GARNER_ASSIGN(const View updates, value_tile(access, {"desired", "CTA2", "CTA3", desired}));
  GARNER_TRY(check_memory(kCas, options));
  JobBuilder job = scatter_job(access, updates, kCas.combine, options.check_bounds);
  job.fill(compared).fetch();
  return finish(std::move(job), std::move(access));
}

Tensor atomic_cas(const MutableView& array, const Indices& indices, const TileOrConstant& expected,
                  const TileOrConstant& desired, const AtomicOptions& options, const RunOptions& run) {
  return fetch(lower_atomic_cas(array, indices, expected, desired, options), array, run);
}

// The seven that take one update differ only in name: the function and its entry in the op table.
#define GARNER_ATOMIC(name, which)                                                                                   \
  Tensor name(const MutableView& array, const Indices& indices, const TileOrConstant& update,                        \
              const AtomicOptions& options, const RunOptions& run) {                                                 \
    return fetch(lower_atomic(Atomic::which, array, indices, update, options), array, run);                          \
  }                                                                                                                  \
  extern const Op op_##name;                                                                                         \
  const Op op_##name{#name,                                                                                          \
                     "(array, indices, update, /, *, check_bounds=True, memory_order=ACQ_REL, memory_scope=DEVICE)", \
                     lower_call<Atomic::which>};

GARNER_ATOMIC(atomic_add, kAdd)
GARNER_ATOMIC(atomic_max, kMax)
GARNER_ATOMIC(atomic_min, kMin)
GARNER_ATOMIC(atomic_and, kAnd)
GARNER_ATOMIC(atomic_or, kOr)
GARNER_ATOMIC(atomic_xor, kXor)
GARNER_ATOMIC(atomic_xchg, kXchg)
#undef GARNER_ATOMIC

extern const Op op_atomic_cas;
const Op op_atomic_cas{
    "atomic_cas",
    "(array, indices, expected, desired, /, *, check_bounds=True, memory_order=ACQ_REL, memory_scope=DEVICE)",
    [](Arguments& a) -> Result<Jobs> {
  const View array = a.tensor("array");
  const Indices indices = indices_argument(a);
  const TileOrConstant expected = value_argument(a, "expected"), desired = value_argument(a, "desired");
  GARNER_TRY(a.status());
  GARNER_ASSIGN(const AtomicOptions options, atomic_options(a));
  return one(lower_atomic_cas(array, indices, expected, desired, options));
}};

}  // namespace garner::cutile
