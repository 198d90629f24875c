#include "ranks/group.h"

#include <chrono>
#include <numeric>
#include <thread>

#include "base/fail.h"

namespace garner {
namespace {

using Clock = std::chrono::steady_clock;

/// How long to look without a pause. Where more ranks run than there are cores, whoever spins on keeps the rank he
/// waits for from running.
constexpr int kLooks = 64;

void pause(int looks) {
  if (looks >= kLooks) std::this_thread::yield();
}

Status gone(int rank, double seconds) {
  return fail(Code::kSystem, "RK6", "ranks: rank {} did not answer within {:g} s, allowed less (timeout)", rank,
              seconds);
}

/// A code, a rule and a message as bytes, and back. The code travels ahead of them.
std::string packed(const Status& status) { return status.rule + '\n' + status.message; }

Status unpacked(Code code, const std::string& text) {
  const std::size_t cut = text.find('\n');
  return {code, text.substr(0, cut), text.substr(cut + 1)};
}

Status named(Status status, int rank, int size) {
  if (size > 1) status.message += fmt::format(", on rank {} of {}", rank, size);
  return status;
}

template <class Spans>
Index total(const Spans& spans) {
  return std::accumulate(spans.begin(), spans.end(), Index{0},
                         [](Index sum, const auto& s) { return sum + static_cast<Index>(s.size()); });
}

}  // namespace

Messages no_messages(int ranks) {
  return {std::vector<std::span<const std::byte>>(static_cast<std::size_t>(ranks)),
          std::vector<std::span<std::byte>>(static_cast<std::size_t>(ranks)),
          {}};
}

Status Group::broken(Status status) { return broken_ = std::move(status); }

Result<std::unique_ptr<Transfer>> Group::start(Messages messages) {
  GARNER_TRY(broken_);
  const Index out = total(messages.sends), in = total(messages.receives);
  auto started = ranks_->start(std::move(messages));
  if (!started.ok()) return broken(started.status());
  sent_ += out;
  received_ += in;
  return started;
}

Status Group::wait(Transfer& transfer) {
  Clock::time_point since = Clock::now();
  Index left = -1;
  for (int looks = 0;; ++looks) {
    const Result<Index> now = transfer.poll();
    if (!now.ok()) return broken(now.status());
    if (*now == 0) return {};
    if (*now != left) left = *now, since = Clock::now(), looks = 0;
    const std::chrono::duration<double> waited = Clock::now() - since;
    if (ranks_->timeout() > 0 && waited.count() > ranks_->timeout())
      return broken(gone(transfer.waits_for(), ranks_->timeout()));
    pause(looks);
  }
}

Status Group::exchange(Messages messages) {
  GARNER_ASSIGN(const auto transfer, start(std::move(messages)));
  return wait(*transfer);
}

Result<Axes> Group::all_gather(std::span<const Index> mine) {
  const auto n = static_cast<Index>(mine.size());
  auto all = std::make_shared<Axes>(static_cast<std::size_t>(n * (size() + 1)));  // behind them, what is sent
  Messages messages = no_messages(size());
  Index* own = all->data() + n * size();
  std::copy(mine.begin(), mine.end(), own);
  std::copy(mine.begin(), mine.end(), all->data() + n * rank());
  for (Index k = 0; k < size(); ++k)
    if (k != rank()) {
      messages.sends[static_cast<std::size_t>(k)] = bytes_of(static_cast<const Index*>(own), n);
      messages.receives[static_cast<std::size_t>(k)] = bytes_of(all->data() + n * k, n);
    }
  messages.keep = all;
  GARNER_TRY(exchange(std::move(messages)));
  all->resize(static_cast<std::size_t>(n * size()));
  return std::move(*all);
}

Result<Axes> Group::all_to_all(const Axes& to) {
  auto both = std::make_shared<std::pair<Axes, Axes>>(to, to);
  Messages messages = no_messages(size());
  for (std::size_t k = 0; k < to.size(); ++k)
    if (static_cast<int>(k) != rank()) {
      messages.sends[k] = bytes_of(static_cast<const Index*>(&both->first[k]), 1);
      messages.receives[k] = bytes_of(&both->second[k], 1);
    }
  messages.keep = both;
  GARNER_TRY(exchange(std::move(messages)));
  return std::move(both->second);
}

/// A text that one rank has, on all of them.
Result<std::string> Group::text_of(int from, Index bytes, const std::string& mine) {
  auto text = std::make_shared<std::string>(from == rank() ? mine : std::string(static_cast<std::size_t>(bytes), ' '));
  Messages messages = no_messages(size());
  if (from != rank()) messages.receives[static_cast<std::size_t>(from)] = bytes_of(text->data(), bytes);
  for (int k = 0; from == rank() && k < size(); ++k)
    if (k != from) messages.sends[static_cast<std::size_t>(k)] = bytes_of(std::as_const(*text).data(), bytes);
  messages.keep = text;
  GARNER_TRY(exchange(std::move(messages)));
  return *text;
}

Status Group::agree(const Status& mine) {
  GARNER_TRY(broken_);
  const Index word[] = {static_cast<Index>(mine.code), static_cast<Index>(packed(mine).size())};
  GARNER_ASSIGN(const Axes all, all_gather(word));
  for (int k = 0; k < size(); ++k) {
    const Index* theirs = all.data() + 2 * static_cast<std::size_t>(k);
    const Index code = theirs[0], bytes = theirs[1];
    if (code == static_cast<Index>(Code::kOk)) continue;
    GARNER_ASSIGN(const std::string text, text_of(k, bytes, packed(mine)));
    return named(unpacked(static_cast<Code>(code), text), k, size());
  }
  return {};
}

}  // namespace garner
