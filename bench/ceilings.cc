// What this machine's memory can do: streams, and random chunks by their size and by the footprint they lie in, at 1
// and at all threads. These are the denominators of every "share of the limit", so each loop does nothing but move the
// bytes, with the widest vectors at hand and as many misses under way as the core takes.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bench/ceilings.cc"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "bench/measure.h"
#include "device/cpu/prefetch.h"

HWY_BEFORE_NAMESPACE();
namespace garner::measure::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Words = hn::ScalableTag<std::uint32_t>;
using Floats = hn::ScalableTag<float>;

/// Chunks whose lines are asked for ahead of the one that is read.
constexpr std::size_t kLinesAhead = 64;
constexpr std::size_t kLine = 64;

std::uint32_t read_stream(const std::uint32_t* from, std::size_t count) {
  const Words d;
  const std::size_t lanes = hn::Lanes(d), step = 8 * lanes;
  auto a = hn::Zero(d), b = a, c = a, e = a;
  for (std::size_t i = 0; i + step <= count; i += step) {
    const std::uint32_t* p = from + i;
    a = hn::Xor(a, hn::Xor(hn::Load(d, p), hn::Load(d, p + lanes)));
    b = hn::Xor(b, hn::Xor(hn::Load(d, p + 2 * lanes), hn::Load(d, p + 3 * lanes)));
    c = hn::Xor(c, hn::Xor(hn::Load(d, p + 4 * lanes), hn::Load(d, p + 5 * lanes)));
    e = hn::Xor(e, hn::Xor(hn::Load(d, p + 6 * lanes), hn::Load(d, p + 7 * lanes)));
  }
  return hn::GetLane(hn::Xor(hn::Xor(a, b), hn::Xor(c, e)));
}

/// Past the caches.
void write_stream(std::uint32_t* to, std::size_t count) {
  const Words d;
  const auto value = hn::Set(d, 0x3f800001U);
  for (std::size_t i = 0; i + hn::Lanes(d) <= count; i += hn::Lanes(d)) hn::Stream(value, d, to + i);
  hwy::FlushStream();
}

/// What is read is asked for a page ahead: beside stores past the caches the hardware does not run ahead far enough by
/// itself (two cores of a Xeon with AVX-512: 39 GB/s, asked for 46; reading alone 32 either way).
void copy_stream(std::uint32_t* to, const std::uint32_t* from, std::size_t count) {
  constexpr std::size_t kPageAhead = 1024;  // words
  const Words d;
  const std::size_t lanes = hn::Lanes(d), step = 4 * lanes;
  for (std::size_t i = 0; i + step <= count; i += step) {
    ask_for(from + i + kPageAhead, static_cast<Index>(step * sizeof(*from)));
    const auto a = hn::Load(d, from + i), b = hn::Load(d, from + i + lanes);
    const auto c = hn::Load(d, from + i + 2 * lanes), e = hn::Load(d, from + i + 3 * lanes);
    hn::Stream(a, d, to + i);
    hn::Stream(b, d, to + i + lanes);
    hn::Stream(c, d, to + i + 2 * lanes);
    hn::Stream(e, d, to + i + 3 * lanes);
  }
  hwy::FlushStream();
}

/// Of long chunks the first lines: the hardware follows by itself.
HWY_INLINE void ask_for_chunk(const std::uint8_t* chunk, std::size_t bytes) {
  ask_for(chunk, static_cast<Index>(std::min(bytes, 16 * kLine)));
}

std::uint32_t read_elements(const std::uint32_t* table, const std::uint32_t* places, std::size_t count) {
  std::uint32_t sum[4] = {};
  const std::size_t last = count - kLinesAhead;
  for (std::size_t i = 0; i + 4 <= last; i += 4)
    for (std::size_t k = 0; k < 4; ++k) {
      ask_for(table + places[i + k + kLinesAhead]);
      sum[k] += table[places[i + k]];
    }
  return sum[0] + sum[1] + sum[2] + sum[3];
}

std::uint32_t read_chunks(const std::uint8_t* table, std::size_t bytes, const std::uint32_t* places,
                          std::size_t count) {
  const Words d;
  const std::size_t lanes = hn::Lanes(d), words = bytes / 4;
  const std::size_t ahead = std::max<std::size_t>(1, kLinesAhead * kLine / bytes);
  auto a = hn::Zero(d), b = a;
  for (std::size_t i = 0; i + ahead < count; ++i) {
    ask_for_chunk(table + places[i + ahead] * bytes, bytes);
    const auto* p = reinterpret_cast<const std::uint32_t*>(table + places[i] * bytes);
    std::size_t w = 0;
    for (; w + 2 * lanes <= words; w += 2 * lanes) {
      a = hn::Xor(a, hn::Load(d, p + w));
      b = hn::Xor(b, hn::Load(d, p + w + lanes));
    }
    for (; w < words; w += lanes) a = hn::Xor(a, hn::Load(d, p + w));
  }
  return hn::GetLane(hn::Xor(a, b));
}

void update_elements(float* table, const std::uint32_t* places, std::size_t count) {
  for (std::size_t i = 0; i + kLinesAhead < count; ++i) {
    ask_for(table + places[i + kLinesAhead]);
    table[places[i]] += 1.0F;
  }
}

void update_chunks(std::uint8_t* table, std::size_t bytes, const std::uint32_t* places, std::size_t count) {
  const Floats d;
  const auto one = hn::Set(d, 1.0F);
  const std::size_t ahead = std::max<std::size_t>(1, kLinesAhead * kLine / bytes);
  for (std::size_t i = 0; i + ahead < count; ++i) {
    ask_for_chunk(table + places[i + ahead] * bytes, bytes);
    auto* p = reinterpret_cast<float*>(table + places[i] * bytes);
    for (std::size_t w = 0; w < bytes / 4; w += hn::Lanes(d)) hn::Store(hn::Add(hn::Load(d, p + w), one), d, p + w);
  }
}

}  // namespace garner::measure::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace garner::measure {
HWY_EXPORT(read_stream);
HWY_EXPORT(write_stream);
HWY_EXPORT(copy_stream);
HWY_EXPORT(read_elements);
HWY_EXPORT(read_chunks);
HWY_EXPORT(update_elements);
HWY_EXPORT(update_chunks);

namespace {

/// Keeps what was read from being optimised away.
volatile std::uint32_t g_sink;

using Places = std::vector<std::vector<std::uint32_t>>;  // of each thread

/// Enough chunks a thread that what one pass reads does not stay in a cache for the next.
std::size_t chunks_in_pass(std::size_t bytes, const Options& o) {
  const std::size_t budget = std::min<std::size_t>(std::size_t{o.quick ? 128U : 512U} << 20, o.table_mib << 20);
  return std::clamp<std::size_t>(budget / bytes, 256, std::size_t{1} << (o.quick ? 20 : 22));
}

/// Places of chunks, for each thread in its own part of the footprint: nobody writes where another does.
Places places_of(int threads, std::size_t chunks, std::size_t count) {
  Places out;
  const std::size_t part = chunks / static_cast<std::size_t>(threads);
  for (int t = 0; t < threads; ++t) {
    auto numbers = random_numbers(count, part, 42 + static_cast<std::uint64_t>(t));
    for (auto& number : numbers) number += static_cast<std::uint32_t>(static_cast<std::size_t>(t) * part);
    out.push_back(std::move(numbers));
  }
  return out;
}

class Ceilings {
 public:
  explicit Ceilings(const Options& options) : o_(options), table_(o_.table_mib << 20) {}

  Json at(int threads) const {
    Json out = streams(threads);
    out["random_read"] = by_footprint(threads, {4, 64, 128, 256, 512, 1024, 4096, 32768}, &Ceilings::read);
    out["random_update"] = by_footprint(threads, {4, 64, 128, 256, 512}, &Ceilings::update);
    return out;
  }

  /// Streams, and the chunks that were asked for in the whole table.
  Json now() const {
    Json out = streams(o_.threads);
    const std::string footprint = std::to_string(table_.bytes());
    for (const std::size_t chunk : o_.read_chunks)
      out["random_read"][footprint][std::to_string(chunk)] = rate(o_.threads, chunk, table_.bytes(), &Ceilings::read);
    for (const std::size_t chunk : o_.update_chunks)
      out["random_update"][footprint][std::to_string(chunk)] =
          rate(o_.threads, chunk, table_.bytes(), &Ceilings::update);
    return out;
  }

 private:
  using Pass = void (Ceilings::*)(std::size_t bytes, const std::vector<std::uint32_t>& places) const;

  /// Bytes a second; a copy counts what it reads and what it writes.
  Json streams(int threads) const {
    const std::size_t bytes = std::min<std::size_t>(table_.bytes() / 2, std::size_t{1} << 30);
    const std::size_t part = bytes / 4 / static_cast<std::size_t>(threads) / 1024 * 1024;  // words
    auto* from = table_.as<std::uint32_t>();
    auto* to = from + bytes / 4;
    const auto rate = [&](int moved, const std::function<void(std::size_t)>& work) {
      const auto pass = [&] { return on_threads(threads, [&](int t) { work(static_cast<std::size_t>(t) * part); }); };
      return static_cast<double>(part * 4 * static_cast<std::size_t>(threads * moved)) /
             median_seconds(o_.seconds, pass);
    };
    return {{"read", rate(1, [&](std::size_t at) { g_sink = HWY_DYNAMIC_DISPATCH(read_stream)(from + at, part); })},
            {"write", rate(1, [&](std::size_t at) { HWY_DYNAMIC_DISPATCH(write_stream)(to + at, part); })},
            {"copy", rate(2, [&](std::size_t at) { HWY_DYNAMIC_DISPATCH(copy_stream)(to + at, from + at, part); })}};
  }

  /// Chunks a second: {footprint in bytes: {chunk in bytes: rate}}. Footprints a factor of four apart.
  Json by_footprint(int threads, const std::vector<std::size_t>& chunks, Pass pass) const {
    Json out = Json::object();
    for (std::size_t bytes = table_.bytes(); bytes >= std::size_t{16} << 20; bytes /= 4)
      for (const std::size_t chunk : chunks)
        out[std::to_string(bytes)][std::to_string(chunk)] = rate(threads, chunk, bytes, pass);
    return out;
  }

  double rate(int threads, std::size_t chunk, std::size_t footprint, Pass pass) const {
    const Places places = places_of(threads, footprint / chunk, chunks_in_pass(chunk, o_));
    const auto once = [&] {
      return on_threads(threads, [&](int t) { (this->*pass)(chunk, places[static_cast<std::size_t>(t)]); });
    };
    return static_cast<double>(places[0].size()) * threads / median_seconds(o_.seconds / 4, once);
  }

  void read(std::size_t bytes, const std::vector<std::uint32_t>& p) const {
    if (bytes == 4) g_sink = HWY_DYNAMIC_DISPATCH(read_elements)(table_.as<std::uint32_t>(), p.data(), p.size());
    else g_sink = HWY_DYNAMIC_DISPATCH(read_chunks)(table_.as<std::uint8_t>(), bytes, p.data(), p.size());
  }
  void update(std::size_t bytes, const std::vector<std::uint32_t>& p) const {
    if (bytes == 4) HWY_DYNAMIC_DISPATCH(update_elements)(table_.as<float>(), p.data(), p.size());
    else HWY_DYNAMIC_DISPATCH(update_chunks)(table_.as<std::uint8_t>(), bytes, p.data(), p.size());
  }

  Options o_;
  Memory table_;
};

}  // namespace

Json ceilings(const Options& options) {
  const Ceilings measure(options);
  Json out = {{"threads", options.threads}, {"table_bytes", options.table_mib << 20}};
  out["one"] = measure.at(1);
  out["all"] = options.threads > 1 ? measure.at(options.threads) : out["one"];
  return out;
}

Json rates(const Options& options) { return Ceilings(options).now(); }

}  // namespace garner::measure
#endif  // HWY_ONCE
