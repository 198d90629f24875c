// jax.at_set, at_add, at_multiply, at_mul, at_min, at_max(x, key, values, …): x.at[key].set(values, …) and so on
//   As NumPy's x[key] = values on a copy of x, but every update of a place counts.
#include "base/fail.h"
#include "dialect/jax/at.h"
#include "dialect/numpy/convert.h"
#include "garner/error.h"
#include "tensor/walk.h"

namespace garner::jax {
namespace {

struct Updating {
  const char* op;
  Combine combine;
};

bool is_float8(DType t) { return kind(t) == Kind::kFloat && info(t).bits == 8; }

/// JAX's promotion of both gives `to`: integers go to any float, 8-bit floats to nothing else.
bool is_safe(DType from, DType to) {
  if (from == to || from == DType::kBool) return true;
  const int bits = info(from).bits, room = info(to).bits / (kind(to) == Kind::kComplex ? 2 : 1);
  switch (kind(from)) {
    case Kind::kBool: return true;
    case Kind::kInt:
      return kind(to) == Kind::kInt ? bits < room : kind(to) == Kind::kFloat || kind(to) == Kind::kComplex;
    case Kind::kUInt: return is_integer(to) ? bits < room : kind(to) != Kind::kBool;
    case Kind::kFloat:
      if (is_float8(from) || is_float8(to)) return false;
      return kind(to) == Kind::kComplex ? bits <= room : kind(to) == Kind::kFloat && bits < room;
    case Kind::kComplex: return kind(to) == Kind::kComplex && bits / 2 < room;
  }
  return false;
}

Status check_dtype(const char* op, const View& x, const View& values) {
  if (is_safe(values.dtype(), x.dtype())) return {};
  return fail(Code::kType, "JX48", "{}: values is {}, allowed a dtype that promotes to {}", op, name(values.dtype()),
              name(x.dtype()));
}

/// In x's dtype, in the shape of x.at[key].get(). `kept` owns a converted copy.
Result<View> updates_of(const char* op, const View& values, DType dtype, const Axes& shape, std::vector<Tensor>& kept) {
  const auto wide = broadcast_to(values, shape);
  if (!wide.ok())
    return fail(Code::kInvalidArgument, "JX47", "{}: shape of values is {}, allowed what broadcasts to {}", op,
                list(values.shape()), list(shape));
  GARNER_ASSIGN(const View typed, numpy::as_dtype(values, dtype, kept));
  return broadcast_to(typed, shape);
}

Result<Job> lower(const Updating& u, const View& x, const numpy::Key& key, const View& values,
                  const UpdateOptions& options) {
  const Indexing indexing{u.op, x, key, writing(options.mode), options.wrap_negative_indices};
  GARNER_ASSIGN(numpy::Selection selection, select(indexing));
  GARNER_TRY(check_dtype(u.op, x, values));
  GARNER_ASSIGN(const Join join, join_of(u.op, u.combine, x.dtype()));
  GARNER_ASSIGN(const View updates, updates_of(u.op, values, x.dtype(), shape_of(selection), selection.kept));
  if (any_zero(x.shape())) return untouched(u.op, x);
  Job job = addressed(JobBuilder::scatter(u.op, x, updates, join.combine), indexing, selection);
  job.user = join.user;
  return job;
}

Result<Jobs> lower_call(const Updating& u, Arguments& a) {
  const View x = a.tensor("x");
  UpdateOptions options{.wrap_negative_indices = a.flag("wrap_negative_indices")};
  GARNER_TRY(a.status());
  GARNER_ASSIGN(options.mode, read_mode(a));
  GARNER_ASSIGN(numpy::KeyArgument key, read_key(a));
  auto values = numpy::value_argument(a, "values", x.dtype(), key.kept);
  if (!values.ok()) return as_jax(values.status());
  return one(keeping(lower(u, x, key.key, *values, options), key.kept));
}

constexpr const char* kSignature =
    "(x, key, values, *, indices_are_sorted=false, unique_indices=false, mode=None, wrap_negative_indices=true)";

}  // namespace

// The same operation under several names, one for each way to join.
#define GARNER_JAX_AT(method, how)                                                         \
  Result<Job> At::lower_##method(const View& values, const UpdateOptions& options) const { \
    return lower({"jax.at_" #method, Combine::how}, x_, key_, values, options);            \
  }                                                                                        \
  Tensor At::method(const View& values, const UpdateOptions& options) const {              \
    return value_or_throw(run_one(lower_##method(values, options), options.run));          \
  }                                                                                        \
  GARNER_JAX_AT_OP(method, how)
#define GARNER_JAX_AT_OP(method, how)                \
  extern const Op op_at_##method;                    \
  const Op op_at_##method{"at_" #method, kSignature, \
                          [](Arguments& a) { return lower_call({"jax.at_" #method, Combine::how}, a); }};

GARNER_JAX_AT(set, kAssign)
GARNER_JAX_AT(add, kAdd)
GARNER_JAX_AT(multiply, kMul)
GARNER_JAX_AT_OP(mul, kMul)
GARNER_JAX_AT(min, kMin)
GARNER_JAX_AT(max, kMax)
#undef GARNER_JAX_AT_OP
#undef GARNER_JAX_AT

}  // namespace garner::jax
