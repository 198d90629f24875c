#include "dialect/stablehlo/cast.h"

#include "base/fail.h"
#include "dtype/convert.h"
#include "tensor/walk.h"

namespace garner::stablehlo {
namespace {

template <class To, class From>
void cast_values(const View& view, To* out) {
  walk_bytes(view, [&](const std::byte* element) {
    From value;
    std::memcpy(&value, element, sizeof value);
    *out++ = convert<To>(value);
  });
}

}  // namespace

Result<Tensor> cast(const View& view, DType to) {
  GARNER_TRY(validate(view, "cast"));
  GARNER_ASSIGN(Tensor out, Tensor::empty(to, view.shape()));
  dispatch(to, [&]<class To>() {
    dispatch(view.dtype(), [&]<class From>() { cast_values<To, From>(view, out.as<To>()); });
  });
  return out;
}

bool is_promotable(DType from, DType to) {
  return from == to || (kind(from) == kind(to) && info(from).bits < info(to).bits);
}

}  // namespace garner::stablehlo
