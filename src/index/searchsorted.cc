// Where a value would go in a sorted sequence. Every binary search over one sequence takes the same number of steps, so
// many run side by side and wait for memory together.
#include "base/fail.h"
#include "device/cpu/prefetch.h"
#include "device/cpu/stream.h"
#include "device/cpu/threads.h"
#include "index/order.h"
#include "index/outputs.h"
#include "index/search_table.h"
#include "index/there.h"

namespace garner::index {
namespace {

constexpr Index kSideBySide = 32;
// Sequences beyond this leave L2; then the next probe is asked for early.
constexpr Index kPrefetchBytes = 1 << 20;

template <class T> struct Search {
  const T* sequence;
  Index count;
  const T* values;
  Index* out;
};

/// Does element x stand before a value with key v?
template <Side kSide, class K>
bool before(K x, K v) {
  return kSide == Side::kLeft ? x < v : x <= v;
}

template <Side kSide, bool kPrefetch, class T>
void search_group(const Search<T>& s, Index first, Index n) {
  const Keys<T> key(kAscending);
  KeyOf<T> wanted[kSideBySide];
  const T* base[kSideBySide];
  for (Index q = 0; q < n; ++q) wanted[q] = key(s.values[first + q]), base[q] = s.sequence;
  for (Index length = s.count; length > 1;) {
    const Index half = length / 2;
    for (Index q = 0; q < n; ++q) {
      base[q] += before<kSide>(key(base[q][half - 1]), wanted[q]) ? half : 0;
      if constexpr (kPrefetch) ask_for(base[q] + (length - half) / 2);
    }
    length -= half;
  }
  for (Index q = 0; q < n; ++q)
    s.out[first + q] = base[q] - s.sequence + (s.count > 0 && before<kSide>(key(*base[q]), wanted[q]) ? 1 : 0);
}

template <Side kSide, bool kPrefetch, class T>
void search_range(const Search<T>& s, Index begin, Index end) {
  for (Index q = begin; q < end; q += kSideBySide) search_group<kSide, kPrefetch>(s, q, std::min(kSideBySide, end - q));
}

template <Side kSide, class T>
void search_any(const Search<T>& s, Index begin, Index end) {
  if (s.count * static_cast<Index>(sizeof(T)) > kPrefetchBytes) search_range<kSide, true>(s, begin, end);
  else search_range<kSide, false>(s, begin, end);
}

Status check(const char* op, const View& sequence, const View& values) {
  if (sequence.rank() != 1)
    return fail(Code::kInvalidArgument, "IX5", "{}: sequence has rank {}, allowed 1", op, sequence.rank());
  if (sequence.dtype() != values.dtype())
    return fail(Code::kType, "IX3", "{}: values are {}, allowed {} (the sequence's)", op, name(values.dtype()),
                name(sequence.dtype()));
  return {};
}

struct Query {
  const char* op;
  const View& sequence;
  const View& values;
  Side side;
};

/// Values that a thread takes at a time: whole lines of the result.
constexpr Index kValues = 1024;

/// search(begin, end) over the values; each costs some hundred bytes' worth of copying.
template <class F>
void share_values(Index n, const RunOptions& run, F&& search) {
  parallel_ranges(thread_count(run.threads, n * 128), (n + kValues - 1) / kValues, 1,
                  [&](Index begin, Index end) { search(begin * kValues, std::min(end * kValues, n)); });
}

void search_each(DType dtype, const SearchQuery& q, Side side, Index n, const RunOptions& run) {
  share_values(n, run, [&](Index begin, Index end) {
    dispatch(dtype, [&]<class T>() {
      const Search<T> s{static_cast<const T*>(q.sequence), q.count, static_cast<const T*>(q.values), q.out};
      if (side == Side::kLeft) search_any<Side::kLeft>(s, begin, end);
      else search_any<Side::kRight>(s, begin, end);
    });
  });
}

Status search_there(const Query& query, const RunOptions& run, Output& out) {
  GARNER_ASSIGN(const Packed sequence, pack_anywhere(query.sequence, query.op, run));
  GARNER_ASSIGN(const Packed values, pack_anywhere(query.values, query.op, run));
  GARNER_TRY(out.open(query.op, DType::kI64, query.values.shape(), {&query.sequence, &query.values}, run.stream));
  GARNER_ASSIGN(const KeyCode code, code_there(query.op, query.values, kAscending));
  return finished(on_cuda::search(where(query.values, run),
                                  {.sequence = sequence.data(),
                                   .count = query.sequence.elements(),
                                   .values = values.data(),
                                   .number = query.values.elements(),
                                   .code = code,
                                   .right = query.side == Side::kRight},
                                  out.as<Index>()),
                  query.values, run);
}

Status search(const Query& query, const RunOptions& run, Output& out) {
  GARNER_TRY(check(query.op, query.sequence, query.values));
  const View* const both[] = {&query.sequence, &query.values};
  GARNER_ASSIGN(const Device device, device_of(query.op, both));
  if (!device.is_cpu()) return search_there(query, run, out);
  GARNER_ASSIGN(const Packed sequence, pack(query.sequence, query.op, run));
  GARNER_ASSIGN(const Packed values, pack(query.values, query.op, run));
  GARNER_TRY(out.open(query.op, DType::kI64, query.values.shape(), {&query.sequence, &query.values}));
  const DType dtype = query.values.dtype();
  const Index n = query.values.elements(), count = query.sequence.elements();
  const SearchQuery q{sequence.data(), count, values.data(), out.as<Index>(), n * 8 >= tuning().stream_bytes};
  if (!worth_a_table(dtype, count, n)) return search_each(dtype, q, query.side, n, run), Status();
  const SearchTable table = make_search_table(dtype, sequence.data(), count, run);
  share_values(n, run, [&](Index begin, Index end) { search_with_table(dtype, table, q, query.side, {begin, end}); });
  return {};
}

}  // namespace

Status searchsorted(const View& sequence, const View& values, Side side, const RunOptions& run, Output& out) {
  return search({"searchsorted", sequence, values, side}, run, out);
}

Result<Tensor> searchsorted(const View& sequence, const View& values, Side side, const RunOptions& run) {
  return fresh([&](Output& out) { return searchsorted(sequence, values, side, run, out); });
}
Status searchsorted_into(const View& sequence, const View& values, const MutableView& out, Side side,
                         const RunOptions& run) {
  return into(out, run, [&](Output& o) { return searchsorted(sequence, values, side, run, o); });
}
Result<Tensor> bucketize(const View& values, const View& boundaries, Side side, const RunOptions& run) {
  return fresh([&](Output& out) { return search({"bucketize", boundaries, values, side}, run, out); });
}
Status bucketize_into(const View& values, const View& boundaries, const MutableView& out, Side side,
                      const RunOptions& run) {
  return into(out, run, [&](Output& o) { return search({"bucketize", boundaries, values, side}, run, o); });
}

}  // namespace garner::index
