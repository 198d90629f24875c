// For tests: ranks that are threads of one process.
#pragma once
#include <functional>
#include <map>
#include <mutex>
#include <thread>

#include "garner/ranks.h"

namespace garner {

/// Messages by (from, to, how many-eth). Sending copies, so it is over at once.
class PostOffice {
 public:
  using Address = std::tuple<int, int, Index>;
  void post(const Address& address, std::span<const std::byte> bytes) {
    const std::scoped_lock lock(mutex_);
    letters_[address].assign(bytes.begin(), bytes.end());
  }
  bool fetch(const Address& address, std::span<std::byte> to) {
    const std::scoped_lock lock(mutex_);
    const auto found = letters_.find(address);
    if (found == letters_.end()) return false;
    if (found->second.size() != to.size()) throw std::logic_error("a message of another length than expected");
    std::copy(found->second.begin(), found->second.end(), to.begin());
    letters_.erase(found);
    return true;
  }
  bool empty() {
    const std::scoped_lock lock(mutex_);
    return letters_.empty();
  }

 private:
  std::mutex mutex_;
  std::map<Address, std::vector<std::byte>> letters_;
};

class ThreadTransfer : public Transfer {
 public:
  struct Letter {
    PostOffice::Address address;
    std::span<std::byte> to;
  };
  ThreadTransfer(PostOffice& office, std::vector<Letter> letters, std::shared_ptr<const void> keep)
      : office_(office), letters_(std::move(letters)), keep_(std::move(keep)) {}

  Result<Index> poll() override {
    std::erase_if(letters_, [&](const Letter& l) { return office_.fetch(l.address, l.to); });
    return static_cast<Index>(letters_.size());
  }
  int waits_for() const override { return letters_.empty() ? -1 : std::get<0>(letters_[0].address); }

 private:
  PostOffice& office_;
  std::vector<Letter> letters_;
  std::shared_ptr<const void> keep_;
};

class ThreadRanks : public Ranks {
 public:
  ThreadRanks(PostOffice& office, int rank, int size, double timeout)
      : office_(office), rank_(rank), timeout_(timeout), sent_(std::size_t(size)), received_(std::size_t(size)) {}
  int rank() const override { return rank_; }
  int size() const override { return static_cast<int>(sent_.size()); }
  double timeout() const override { return timeout_; }

  Result<std::unique_ptr<Transfer>> start(Messages m) override {
    std::vector<ThreadTransfer::Letter> letters;
    for (int k = 0; k < size(); ++k) {
      const auto at = static_cast<std::size_t>(k);
      if (!m.sends[at].empty()) office_.post({rank_, k, sent_[at]++}, m.sends[at]);
      if (!m.receives[at].empty()) letters.push_back({{k, rank_, received_[at]++}, m.receives[at]});
    }
    return std::unique_ptr<Transfer>(std::make_unique<ThreadTransfer>(office_, std::move(letters), std::move(m.keep)));
  }

 private:
  PostOffice& office_;
  int rank_;
  double timeout_;
  Axes sent_, received_;
};

/// body(ranks) on `size` threads at once; what one of them throws comes out here. Is every message fetched?
inline bool on_ranks(int size, const std::function<void(const std::shared_ptr<Ranks>&)>& body, double timeout = 60) {
  PostOffice office;
  std::vector<std::exception_ptr> thrown(static_cast<std::size_t>(size));
  std::vector<std::jthread> threads;
  for (int k = 0; k < size; ++k)
    threads.emplace_back([&, k] {
      try {
        body(std::make_shared<ThreadRanks>(office, k, size, timeout));
      } catch (...) { thrown[static_cast<std::size_t>(k)] = std::current_exception(); }
    });
  threads.clear();
  for (const std::exception_ptr& error : thrown)
    if (error) std::rethrow_exception(error);
  return office.empty();
}

}  // namespace garner
