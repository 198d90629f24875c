#include "grad/cuda/reduce.h"

#include "device/cuda/runtime.h"
#include "garner/cuda.h"
#include "grad/cuda/walk.cuh"
#include "grad/rounding.h"

namespace garner::grad::plain::on_device {
namespace {

constexpr int kLanes = 8;
constexpr Index kFewPlaces = 1 << 14, kLongRow = 64;  // then lanes are threads of their own

/// What elements of a type are added up in.
template <class C>
using Sum = std::conditional_t<combine_ops::is_complex<C>, std::complex<double>,
                               std::conditional_t<std::is_floating_point_v<C>, double, std::uint64_t>>;

template <class C>
__device__ inline Sum<C> widen(C value) {
  if constexpr (combine_ops::is_complex<C>)
    return {static_cast<double>(value.real()), static_cast<double>(value.imag())};
  else return static_cast<Sum<C>>(value);
}

template <class S>
__device__ inline void add(S& sum, S more) {
  sum = combine_ops::Add::apply(sum, more);
}

/// The places of a box: kept ones by number, and reduced ones row by row.
struct Box {
  Walk<2> kept, reduced;

  static __host__ __device__ Index row(const Walk<2>& walk) { return walk.axes == 0 ? 1 : walk.extent[walk.axes - 1]; }
  __host__ __device__ Index rows() const { return reduced.elements / (row(reduced) == 0 ? 1 : row(reduced)); }
  __host__ __device__ Index pieces() const { return (row(reduced) + kRowPiece - 1) / kRowPiece; }
  __host__ __device__ Index down() const { return reduced.axes == 0 ? 0 : reduced.stride[0][reduced.axes - 1]; }

  /// Is it the only column of its block, which the CPU then sums in lanes?
  __device__ bool is_alone(Index place) const {
    const Index in_row = place % row(kept), in_piece = in_row % kRowPiece;
    const Index left = min(kRowPiece - in_piece, row(kept) - in_row) + in_piece % kColumnsAtOnce;
    return min(left, kColumnsAtOnce) == 1;
  }
  /// Piece u of the reduced rows: where it begins, and how long it is.
  __device__ Index piece(Index u, Index& count) const {
    const Index skip = u % pieces() * kRowPiece;
    count = min(kRowPiece, row(reduced) - skip);
    Index at[2];
    reduced.find(u / pieces() * row(reduced) + skip, at);
    return at[0];
  }
};

/// Eight sums side by side, then those one after another.
template <class T>
__device__ inline Sum<typename T::Compute> lane_sum(const typename T::Storage* data, Index step, Index count) {
  Sum<typename T::Compute> sums[kLanes] = {};
  Index i = 0;
  for (; i + kLanes <= count; i += kLanes)
    for (int l = 0; l < kLanes; ++l) add(sums[l], widen(T::load(data[(i + l) * step])));
  for (; i < count; ++i) add(sums[0], widen(T::load(data[i * step])));
  for (int l = 1; l < kLanes; ++l) add(sums[0], sums[l]);
  return sums[0];
}

/// lanes[u * places + place]: the lane sum of piece u. Eight threads each, one for every lane.
template <class T, class S = typename T::Storage, class W = Sum<typename T::Compute>>
__global__ void sum_lanes(const __grid_constant__ Box box, const S* a, W* lanes) {
  const Index places = box.kept.elements, total = places * box.rows() * box.pieces() * kLanes;
  const int lane = static_cast<int>(threadIdx.x % kLanes);
  for (Index i = thread_number(); i < total; i += thread_count_of_grid()) {
    const Index place = i / kLanes % places, u = i / kLanes / places;
    Index at[2], count;
    box.kept.find(place, at);
    const S* data = a + at[0] + box.piece(u, count);
    const Index step = box.down(), whole = count / kLanes * kLanes;
    W sum{};
    for (Index k = lane; k < whole; k += kLanes) add(sum, widen(T::load(data[k * step])));
    for (Index k = whole; lane == 0 && k < count; ++k) add(sum, widen(T::load(data[k * step])));
    lanes[i] = sum;
  }
}

/// One thread a kept place. `lanes`: what sum_lanes left, or null.
template <class T, class S = typename T::Storage, class W = Sum<typename T::Compute>>
__global__ void sum_places(const __grid_constant__ Box box, const S* a, const W* lanes, W* sums) {
  const Index places = box.kept.elements, units = box.rows() * box.pieces(), down = box.down();
  for_each_element(places, [&](Index place) {
    const bool in_lanes = down == 1 || box.is_alone(place);
    Index at[2];
    box.kept.find(place, at);
    W sum{};
    for (Index u = 0; u < units; ++u) {
      if (in_lanes && lanes != nullptr) {
        const W* of = lanes + (u * places + place) * kLanes;
        W piece = of[0];
        for (int l = 1; l < kLanes; ++l) add(piece, of[l]);
        add(sum, piece);
        continue;
      }
      Index count;
      const S* data = a + at[0] + box.piece(u, count);
      if (in_lanes) add(sum, lane_sum<T>(data, down, count));
      else
        for (Index i = 0; i < count; ++i) add(sum, widen(T::load(data[i * down])));
    }
    sums[at[1]] = sum;
  });
}

template <class T>
__device__ inline typename T::Storage rounded(Sum<typename T::Compute> sum, double divisor) {
  using C = typename T::Compute;
  if constexpr (combine_ops::is_complex<C>) {
    using R = typename C::value_type;
    return T::store(C(static_cast<R>(sum.real() / divisor), static_cast<R>(sum.imag() / divisor)));
  } else if constexpr (std::is_floating_point_v<C> && !std::is_same_v<C, typename T::Storage>) {
    return T::store(for_rounding(sum / divisor));
  } else if constexpr (std::is_floating_point_v<C>) {
    return static_cast<C>(sum / divisor);
  } else {
    return T::store(static_cast<C>(sum));
  }
}

template <class T, class S = typename T::Storage, class W = Sum<typename T::Compute>>
__global__ void finish(const W* sums, Index pieces, double divisor, S* out, Index results) {
  for_each_element(results, [&](Index r) {
    W total{};
    for (Index p = 0; p < pieces; ++p) add(total, sums[p * results + r]);
    out[r] = rounded<T>(total, divisor);
  });
}

__global__ void place_positions(const __grid_constant__ Box box, Index* positions) {
  for_each_element(box.kept.elements, [&](Index place) {
    Index at[2], inside[2];
    box.kept.find(place, at);
    box.reduced.find(positions[place], inside);
    positions[place] = at[0] + inside[0];
  });
}

template <class W>
__global__ void take_all(const W* a, const Index* positions, W* out, Index elements) {
  for_each_element(elements, [&](Index i) { out[i] = a[positions[i]]; });
}

__global__ void mark_all(const Index* positions, Bool* out, Index elements) {
  for_each_element(elements, [&](Index i) { out[positions[i]] = Bool(true); });
}

Status walk_of(const Line& line, Walk<2>& walk) {
  for (std::size_t a = 0; a < line.shape.size(); ++a)
    if (!walk.add(line.shape[a], {line.stride[a], line.result[a]})) return too_many_axes();
  return {};
}

template <class T> const T* from(const Tensor& tensor) { return static_cast<const T*>(tensor.data()); }

}  // namespace

DType sum_dtype(DType dtype) {
  const Kind k = kind(dtype);
  return k == Kind::kComplex ? DType::kC128 : k == Kind::kFloat ? DType::kF64 : DType::kU64;
}

Status sum_box(const Tensor& a, Index first, const Line& kept, const Line& reduced, void* sums) {
  Box box;
  if (Status s = walk_of(kept, box.kept); !s.ok()) return s;
  if (Status s = walk_of(reduced, box.reduced); !s.ok()) return s;
  const Index places = box.kept.elements, units = box.rows() * box.pieces();
  if (places == 0) return {};
  const OnDevice on(a.device().number);
  const cudaStream_t stream = current_stream();
  Tensor lanes;  // given back in the order of the stream
  const bool few = places < kFewPlaces && Box::row(box.reduced) >= kLongRow;
  if (few) {
    auto memory = garner::cuda::empty(sum_dtype(a.dtype()), {places * units * kLanes}, a.device());
    if (!memory.ok()) return memory.status();
    lanes = *memory;
  }
  with_device_element(a.dtype(), [&]<class T>() {
    using S = typename T::Storage;
    using W = Sum<typename T::Compute>;
    auto* partial = few ? static_cast<W*>(lanes.mutable_data()) : nullptr;
    if (few && units > 0)
      sum_lanes<T><<<grid_for(places * units * kLanes), kThreads, 0, stream>>>(box, from<S>(a) + first, partial);
    sum_places<T><<<grid_for(places), kThreads, 0, stream>>>(box, from<S>(a) + first, partial, static_cast<W*>(sums));
  });
  return launched("sum_places");
}

Status finish_sums(const Tensor& sums, Index pieces, double divisor, const MutableView& out) {
  const OnDevice on(out.device().number);
  with_device_element(out.dtype(), [&]<class T>() {
    using W = Sum<typename T::Compute>;
    finish<T><<<grid_for(out.elements()), kThreads, 0, current_stream()>>>(
        from<W>(sums), pieces, divisor, static_cast<typename T::Storage*>(out.mutable_data()), out.elements());
  });
  return launched("finish");
}

Status to_positions(const Line& kept, const Line& reduced, const MutableView& positions) {
  Box box;
  if (Status s = walk_of(kept, box.kept); !s.ok()) return s;
  if (Status s = walk_of(reduced, box.reduced); !s.ok()) return s;
  const OnDevice on(positions.device().number);
  place_positions<<<grid_for(box.kept.elements), kThreads, 0, current_stream()>>>(
      box, static_cast<Index*>(positions.mutable_data()));
  return launched("place_positions");
}

Status take(const Tensor& a, const Tensor& positions, const MutableView& out) {
  const OnDevice on(out.device().number);
  with_device_element(out.dtype(), [&]<class T>() {
    using S = typename T::Storage;
    take_all<<<grid_for(out.elements()), kThreads, 0, current_stream()>>>(
        from<S>(a), from<Index>(positions), static_cast<S*>(out.mutable_data()), out.elements());
  });
  return launched("take_all");
}

Status mark(const Tensor& positions, const MutableView& out) {
  const OnDevice on(out.device().number);
  mark_all<<<grid_for(positions.elements()), kThreads, 0, current_stream()>>>(
      from<Index>(positions), static_cast<Bool*>(out.mutable_data()), positions.elements());
  return launched("mark_all");
}

}  // namespace garner::grad::plain::on_device
