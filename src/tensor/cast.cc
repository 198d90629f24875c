#include "tensor/cast.h"

#include "base/fail.h"
#include "dtype/convert.h"
#include "tensor/walk.h"

namespace garner {
namespace {

/// The widest type of a kind, which holds every value of every dtype of that kind. Going through it takes 4 x 17
/// conversions where every pair of dtypes would take 17 x 17.
template <class T>
using Widest = std::conditional_t<
    is_complex_v<T>, std::complex<double>,
    std::conditional_t<std::is_unsigned_v<T>, std::uint64_t,
                       std::conditional_t<is_index_v<T> || std::is_same_v<T, Bool>, std::int64_t, double>>>;

template <class T>
std::vector<Widest<T>> widened(const View& view) {
  std::vector<Widest<T>> out;
  out.reserve(static_cast<std::size_t>(view.elements()));
  walk_bytes(
      view, [&](const std::byte* element) { out.push_back(convert<Widest<T>>(*reinterpret_cast<const T*>(element))); });
  return out;
}

template <class Wide>
void narrow_into(Tensor& out, const std::vector<Wide>& values) {
  dispatch(out.dtype(), [&]<class T>() {
    for (std::size_t i = 0; i < values.size(); ++i) out.as<T>()[i] = convert<T>(values[i]);
  });
}

}  // namespace

Result<Tensor> cast(const View& view, DType to) {
  GARNER_TRY(validate(view, "cast"));
  GARNER_ASSIGN(Tensor out, Tensor::empty(to, view.shape()));
  dispatch(view.dtype(), [&]<class From>() { narrow_into(out, widened<From>(view)); });
  return out;
}

}  // namespace garner
