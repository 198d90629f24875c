// Constants and tiles as tiles of the array's dtype (CT13, CT21).
#include <limits>
#include <utility>

#include "base/fail.h"
#include "dialect/cutile/access.h"
#include "dtype/convert.h"
#include "tensor/cast.h"

namespace garner::cutile {
namespace {

/// The cast of one value argument, with the words for its errors.
struct Cast {
  const std::string& op;
  const ValueArgument& argument;
  DType to;

  template <class V>
  Status refuse(const V& value) const {
    return fail(Code::kType, argument.cast_rule, "{}: {} is {}, cannot implicitly cast to {}", op, argument.name, value,
                name(to));
  }

  Status check(bool) const { return {}; }

  Status check(Index value) const {
    if (to == DType::kBool) return value == 0 || value == 1 ? Status{} : refuse(value);
    return dispatch_index(to, [&]<class T>() { return check_range<T>(value); }, [] { return Status{}; });
  }

  Status check(double value) const {
    return kind(to) == Kind::kFloat || kind(to) == Kind::kComplex ? Status{} : refuse(fmt::format("{:#}", value));
  }

  Status check(const View& tile) const {
    GARNER_TRY(validate_anywhere(tile, fmt::format("{}: {}", op, argument.name)));
    return casts_implicitly(tile.dtype(), to) ? Status{} : refuse(name(tile.dtype()));
  }

 private:
  template <class T>
  Status check_range(Index value) const {
    if (std::in_range<T>(value)) return {};
    using Limits = std::numeric_limits<T>;
    return fail(Code::kInvalidArgument, argument.cast_rule, "{}: {} {} is out of range of {}, allowed [{}, {}]", op,
                argument.name, value, name(to), +Limits::min(), +Limits::max());
  }
};

template <class C>
Result<Tensor> converted(C constant, DType to) {
  GARNER_ASSIGN(Tensor out, Tensor::empty(to, {}));
  dispatch(to, [&]<class T>() { *out.as<T>() = convert<T>(constant); });
  return out;
}

Result<Tensor> converted(const View& tile, DType to) { return cast(tile, to); }

Status check_shape(const Access& access, const ValueArgument& argument) {
  const View* tile = std::get_if<View>(&argument.value);
  if (tile == nullptr) return {};
  GARNER_TRY(check_strides(access.op, *tile, argument.name));
  if (broadcast_to(*tile, access.shape).ok()) return {};
  return fail(Code::kType, argument.shape_rule, "{}: {} shape is {}, not broadcastable to the index shape {}",
              access.op, argument.name, list(tile->shape()), list(access.shape));
}

Result<View> converted_and_kept(Access& access, const TileOrConstant& value) {
  const View* tile = std::get_if<View>(&value);
  if (tile != nullptr && tile->dtype() == access.array.dtype()) return *tile;
  const DType to = access.array.dtype();
  GARNER_ASSIGN(access.kept.emplace_back(), std::visit([&](const auto& v) { return converted(v, to); }, value));
  return View(access.kept.back());
}

constexpr bool only_to_itself(DType t) {
  return kind(t) == Kind::kComplex || (kind(t) == Kind::kFloat && width(t) == 1);
}

}  // namespace

bool casts_implicitly(DType from, DType to) {
  if (from == to) return true;
  if (only_to_itself(from) || only_to_itself(to)) return false;
  if (kind(from) == kind(to)) return width(from) < width(to);  // f16 and bf16 are equally wide: neither way
  return kind(from) == Kind::kBool || (is_integer(from) && kind(to) == Kind::kFloat);
}

Result<View> value_tile(Access& access, const ValueArgument& argument) {
  GARNER_TRY(check_shape(access, argument));
  const Cast cast{access.op, argument, access.array.dtype()};
  GARNER_TRY(std::visit([&](const auto& value) { return cast.check(value); }, argument.value));
  GARNER_ASSIGN(const View tile, converted_and_kept(access, argument.value));
  return broadcast_to(tile, access.shape);
}

}  // namespace garner::cutile
