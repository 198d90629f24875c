#include "tensor/cast.h"

#include "base/fail.h"
#include "dtype/convert.h"
#include "tensor/walk.h"

namespace garner {
namespace {

template <class To, class From>
void cast_values(const View& view, To* out) {
  walk_bytes(view, [&](const std::byte* element) { *out++ = convert<To>(*reinterpret_cast<const From*>(element)); });
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

}  // namespace garner
