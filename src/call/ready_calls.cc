#include "call/ready_calls.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "run/check.h"
#include "run/ready.h"

namespace garner {
namespace {

// ---- what kind of call it is ----

/// The tensors among the arguments, in order.
class Memory {
 public:
  static constexpr std::size_t kMax = 8;

  bool add(const View& view) {
    if (count_ == kMax) return false;
    views_[count_++] = &view;
    return true;
  }

  bool add_all(const Values& values) {
    for (const Value& value : values) {
      if (const auto* view = std::get_if<View>(&value.held); view != nullptr && !add(*view)) return false;
      if (const auto* tensor = std::get_if<Tensor>(&value.held); tensor != nullptr && !add(tensor->view()))
        return false;
      if (const auto* list = std::get_if<std::shared_ptr<Values>>(&value.held); list != nullptr && !add_all(**list))
        return false;
    }
    return true;
  }

  std::span<const View* const> views() const { return {views_.data(), count_}; }

 private:
  std::array<const View*, kMax> views_;
  std::size_t count_ = 0;
};

/// Numbers that tell calls of different kinds apart, on the stack.
class Kinds {
 public:
  static constexpr std::size_t kMaxWords = 128;

  bool add_all(const Values& values) {
    for (const Value& value : values)
      if (!add(value)) return false;
    return true;
  }

  std::span<const Index> words() const { return {words_.data(), size_}; }

 private:
  bool put(Index word) {
    if (size_ == kMaxWords) return false;
    words_[size_++] = word;
    return true;
  }
  bool put_all(const Axes& axes) {
    if (size_ + axes.size() > kMaxWords) return false;
    for (const Index n : axes) words_[size_++] = n;
    return true;
  }

  bool put_text(const std::string& text) {
    bool room = put(static_cast<Index>(text.size()));
    for (std::size_t at = 0; at < text.size(); at += sizeof(Index)) {
      Index word = 0;
      std::memcpy(&word, text.data() + at, std::min(sizeof(Index), text.size() - at));
      room = room && put(word);
    }
    return room;
  }

  bool add_view(const View& view) {
    if (view.stride().size() != view.shape().size() || view.elements() == 0) return false;
    const Index place = view.device().is_cpu() ? 0 : view.device().number + 1;
    const Index tag = (place * 64 + static_cast<Index>(view.dtype())) * 64 + view.rank();
    return view.rank() < 64 && put(tag) && put_all(view.shape()) && put_all(view.stride());
  }

  bool add(const Value& value) {
    if (!put(static_cast<Index>(value.held.index()))) return false;
    if (const auto* view = std::get_if<View>(&value.held)) return add_view(*view);
    if (const auto* tensor = std::get_if<Tensor>(&value.held)) return add_view(tensor->view());
    if (const auto* i = std::get_if<Index>(&value.held)) return put(*i);
    if (const auto* b = std::get_if<bool>(&value.held)) return put(*b ? 1 : 0);
    if (const auto* d = std::get_if<double>(&value.held)) return put(std::bit_cast<Index>(*d));
    if (const auto* word = std::get_if<Word>(&value.held)) return put_text(word->text);
    const auto* list = std::get_if<std::shared_ptr<Values>>(&value.held);
    return list == nullptr || (put(static_cast<Index>((*list)->size())) && add_all(**list));
  }

  std::array<Index, kMaxWords> words_;
  std::size_t size_ = 0;
};

// ---- which part of the job is which argument ----

struct Range {
  std::uintptr_t first, last;
};

/// The bytes a view can reach.
Range range_of(const View& view) {
  const auto base = reinterpret_cast<std::uintptr_t>(view.data());
  Index low = 0, high = 0;
  for (Index a = 0; a < view.rank(); ++a) {
    const Index reach = (view.extent(a) - 1) * view.stride(a);
    (reach < 0 ? low : high) += reach;
  }
  const int bytes = width(view.dtype());
  return {base + static_cast<std::uintptr_t>(low * bytes),
          base + static_cast<std::uintptr_t>(high * bytes + bytes - 1)};
}

/// A part of a job: so many bytes behind the first element of an argument.
struct Place {
  int argument = -1;
  Index offset = 0;
};

/// Finds parts of the job among the arguments, and remembers which were found.
class Finder {
 public:
  explicit Finder(std::span<const View* const> memory) : memory_(memory), found_(memory.size()) {
    for (const View* view : memory_) ranges_.push_back(range_of(*view));
  }

  /// Arguments in the same memory cannot be told apart.
  bool distinct() const {
    for (std::size_t i = 0; i < ranges_.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (ranges_[i].first <= ranges_[j].last && ranges_[j].first <= ranges_[i].last) return false;
    return true;
  }

  std::optional<Place> place(const View& part) {
    const auto at = reinterpret_cast<std::uintptr_t>(part.data());
    for (std::size_t i = 0; i < ranges_.size(); ++i) {
      if (at < ranges_[i].first || at > ranges_[i].last) continue;
      found_[i] = true;
      const auto* base = static_cast<const std::byte*>(memory_[i]->data());
      return Place{static_cast<int>(i), static_cast<const std::byte*>(part.data()) - base};
    }
    return std::nullopt;
  }

  bool all_found() const { return std::find(found_.begin(), found_.end(), false) == found_.end(); }

 private:
  std::span<const View* const> memory_;
  std::vector<Range> ranges_;
  std::vector<bool> found_;
};

struct Places {
  Place operand, updates, mask, fill;
  std::vector<Place> indices;
};

std::optional<Places> places_of(const Job& job, std::span<const View* const> memory) {
  Finder finder(memory);
  if (!finder.distinct()) return std::nullopt;
  Places places;
  bool all = true;
  const auto look = [&](const std::optional<View>& part, Place& place) {
    if (!part) return;
    const auto found = finder.place(*part);
    all = all && found;
    place = found.value_or(Place{});
  };
  look(job.operand, places.operand);
  look(job.updates, places.updates);
  look(job.mask, places.mask);
  look(job.fill, places.fill);
  for (const View& index : job.indices) look(index, places.indices.emplace_back());
  if (!all || !finder.all_found()) return std::nullopt;
  return places;
}

// ---- running it ----

bool is_aligned(const View& view) {
  const auto unit = static_cast<std::uintptr_t>(std::min(width(view.dtype()), 8));
  return view.data() != nullptr && reinterpret_cast<std::uintptr_t>(view.data()) % unit == 0;
}

class RepeatedCall final : public ReadyCall {
 public:
  RepeatedCall(Ready ready, Places places) : ready_(std::move(ready)), places_(std::move(places)) {}

  DType dtype() const override { return ready_.dtype; }
  const Axes& shape() const override { return ready_.shape; }
  Device device() const override { return ready_.device; }

  bool run(const Values& values, void* out) const override {
    Memory found;
    if (!found.add_all(values)) return false;
    const auto memory = found.views();
    for (const View* view : memory)
      if (!is_aligned(*view)) return false;
    std::array<const void*, Memory::kMax> indices;
    if (places_.indices.size() > indices.size()) return false;
    for (std::size_t i = 0; i < places_.indices.size(); ++i) indices[i] = address(places_.indices[i], memory);
    return run_ready(ready_,
                     {address(places_.operand, memory),
                      address(places_.updates, memory),
                      address(places_.mask, memory),
                      address(places_.fill, memory),
                      {indices.data(), places_.indices.size()}},
                     out);
  }

  bool updates(const Values& values, const MutableView& out) const {
    Memory found;
    if (places_.operand.argument < 0 || places_.operand.offset != 0 || !found.add_all(values)) return false;
    const View* operand = found.views()[static_cast<std::size_t>(places_.operand.argument)];
    if (ready_.plan.plan.direction != Direction::kScatter || !same_place(*operand, out)) return false;
    return std::ranges::all_of(found.views(), [&](const View* view) {
      return is_aligned(*view) && (view == operand || !may_overlap(*view, out));
    });
  }

 private:
  static const void* address(const Place& place, std::span<const View* const> memory) {
    if (place.argument < 0) return nullptr;
    return static_cast<const std::byte*>(memory[static_cast<std::size_t>(place.argument)]->data()) + place.offset;
  }

  Ready ready_;
  Places places_;
};

std::shared_ptr<const ReadyCall> repeated(const Result<Job>& job, std::span<const View* const> memory) {
  if (!job.ok()) return nullptr;
  auto places = places_of(*job, memory);
  if (!places) return nullptr;
  auto ready = make_ready(*job);
  if (!ready) return nullptr;
  return std::make_shared<RepeatedCall>(*std::move(ready), *std::move(places));
}

std::size_t hash_of(std::span<const Index> words) {
  std::uint64_t hash = 0x9E3779B97F4A7C15;
  for (const Index word : words) hash = (hash ^ static_cast<std::uint64_t>(word)) * 0xFF51AFD7ED558CCD;
  return static_cast<std::size_t>(hash >> 32);
}

}  // namespace

bool updates_in_place(const ReadyCall& call, const Values& values, const MutableView& out) {
  return static_cast<const RepeatedCall&>(call).updates(values, out);  // find() makes no others
}

std::shared_ptr<const ReadyCall> ReadyCalls::find(const Values& values, const std::function<Result<Job>()>& lower) {
  Kinds kinds;
  if (!kinds.add_all(values)) return nullptr;
  const auto words = kinds.words();
  Entry& entry = entries_[hash_of(words) % kEntries];
  {
    const std::lock_guard lock(mutex_);
    if (std::ranges::equal(entry.key, words)) return entry.call;
  }
  Memory memory;
  if (!memory.add_all(values)) return nullptr;
  auto call = repeated(lower(), memory.views());
  const std::lock_guard lock(mutex_);
  entry = {Axes(words.begin(), words.end()), call};
  return call;
}

}  // namespace garner
