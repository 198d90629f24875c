// Ranks on an MPI communicator. Headers only, compiled with the program's own mpi.h: one library serves every MPI.
//
//   MPI_Init(nullptr, nullptr);
//   auto ranks = garner::mpi::ranks(MPI_COMM_WORLD);
#pragma once
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <thread>

#include "garner/ranks.h"

namespace garner::mpi {

struct Options {
  double timeout = 300;  // seconds without any message after which another rank counts as gone; 0: never
  Index piece_bytes = Index{1} << 30;  // longer messages go in pieces: MPI counts in int. [1, 2^31)
};

namespace detail {

/// MPI's own words for what went wrong.
inline Status failed(const char* call, int error) {
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  if (MPI_Error_string(error, text, &length) != MPI_SUCCESS) length = 0;
  std::string words(text, static_cast<std::size_t>(length));
  std::replace_if(words.begin(), words.end(), [](unsigned char c) { return c < 0x20; }, ' ');
  return {Code::kSystem, "RK6", std::string("ranks: ") + call + " failed: " + words};
}

/// Memory that MPI may still look at: messages to a rank that has gone can neither end nor be called off.
inline void keep_forever(std::shared_ptr<const void> memory) {
  static auto& kept = *new std::vector<std::shared_ptr<const void>>;
  kept.push_back(std::move(memory));
}

class MpiTransfer : public Transfer {
 public:
  MpiTransfer(MPI_Comm comm, Options options, std::shared_ptr<const void> keep)
      : comm_(comm), options_(options), keep_(std::move(keep)) {}
  MpiTransfer(const MpiTransfer&) = delete;
  MpiTransfer& operator=(const MpiTransfer&) = delete;
  ~MpiTransfer() override {
    bool all = true;
    for (std::size_t i = 0; i < requests_.size(); ++i) all = call_off(i) && all;
    if (!all) keep_forever(std::move(keep_));
  }

  Status receive(int rank, std::span<std::byte> to) {
    return in_pieces(rank, to, "MPI_Irecv", true, [&](std::byte* at, int bytes, MPI_Request* request) {
      return MPI_Irecv(at, bytes, MPI_BYTE, rank, kTag, comm_, request);
    });
  }
  Status send(int rank, std::span<const std::byte> from) {
    return in_pieces(rank, from, "MPI_Isend", false, [&](const std::byte* at, int bytes, MPI_Request* request) {
      return MPI_Isend(at, bytes, MPI_BYTE, rank, kTag, comm_, request);
    });
  }

  Result<Index> poll() override {
    int done = 0;
    finished_.resize(requests_.size());
    const int error = MPI_Testsome(static_cast<int>(requests_.size()), requests_.data(), &done, finished_.data(),
                                   MPI_STATUSES_IGNORE);
    if (error != MPI_SUCCESS) return failed("MPI_Testsome", error);
    if (done != MPI_UNDEFINED) left_ -= done;
    return left_;
  }

  int waits_for() const override {
    for (std::size_t i = 0; i < requests_.size(); ++i)
      if (requests_[i] != MPI_REQUEST_NULL) return peers_[i].rank;
    return -1;
  }

 private:
  static constexpr int kTag = 0;
  struct Peer {
    int rank;
    bool receives;
  };

  template <class Bytes, class Begin>
  Status in_pieces(int rank, Bytes bytes, const char* call, bool receives, const Begin& begin) {
    const auto most = static_cast<std::size_t>(options_.piece_bytes);
    for (std::size_t at = 0; at < bytes.size(); at += most) {
      MPI_Request request = MPI_REQUEST_NULL;
      const int error = begin(bytes.data() + at, static_cast<int>(std::min(most, bytes.size() - at)), &request);
      if (error != MPI_SUCCESS) return failed(call, error);
      requests_.push_back(request);
      peers_.push_back({rank, receives});
      ++left_;
    }
    return {};
  }

  /// False: MPI may still look at the memory.
  bool call_off(std::size_t i) {
    if (requests_[i] == MPI_REQUEST_NULL) return true;
    int done = 0;
    if (peers_[i].receives) MPI_Cancel(&requests_[i]);
    MPI_Test(&requests_[i], &done, MPI_STATUS_IGNORE);
    if (done == 0) MPI_Request_free(&requests_[i]);
    return done != 0;
  }

  MPI_Comm comm_;
  Options options_;
  std::shared_ptr<const void> keep_;
  std::vector<MPI_Request> requests_;
  std::vector<Peer> peers_;
  std::vector<int> finished_;
  Index left_ = 0;
};

/// On a communicator of its own, so that the program's messages and these never meet.
class MpiRanks : public Ranks {
 public:
  MpiRanks(MPI_Comm comm, Options options) : comm_(comm), options_(options) {
    MPI_Comm_rank(comm_, &rank_);
    MPI_Comm_size(comm_, &size_);
  }
  MpiRanks(const MpiRanks&) = delete;
  MpiRanks& operator=(const MpiRanks&) = delete;
  ~MpiRanks() override {
    int over = 0;
    MPI_Finalized(&over);
    if (over == 0) MPI_Comm_free(&comm_);
  }

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  double timeout() const override { return options_.timeout; }

  Result<std::unique_ptr<Transfer>> start(Messages messages) override {
    auto transfer = std::make_unique<MpiTransfer>(comm_, options_, std::move(messages.keep));
    for (int k = 0; k < size_; ++k)
      if (Status s = transfer->receive(k, messages.receives[static_cast<std::size_t>(k)]); !s.ok()) return s;
    for (int i = 1; i < size_; ++i) {  // not everybody to rank 0 first
      const int k = (rank_ + i) % size_;
      if (Status s = transfer->send(k, messages.sends[static_cast<std::size_t>(k)]); !s.ok()) return s;
    }
    return std::unique_ptr<Transfer>(std::move(transfer));
  }

 private:
  MPI_Comm comm_;
  Options options_;
  int rank_ = 0, size_ = 1;
};

inline Status check(const Options& options) {
  int begun = 0, over = 0;
  MPI_Initialized(&begun);
  MPI_Finalized(&over);
  if (begun == 0 || over != 0)
    return {Code::kInvalidArgument, "RK7", "ranks: MPI is not running, allowed between MPI_Init and MPI_Finalize"};
  if (options.piece_bytes < 1 || options.piece_bytes >= Index{1} << 31)
    return {Code::kInvalidArgument, "RK7",
            "ranks: piece_bytes is " + std::to_string(options.piece_bytes) + ", allowed [1, 2^31)"};
  if (options.timeout >= 0) return {};
  return {Code::kInvalidArgument, "RK7",
          "ranks: timeout is " + std::to_string(options.timeout) + ", allowed 0 (never) or more seconds"};
}

}  // namespace detail

/// All processes of the communicator together. Rules RK6, RK7. Kept by the tables that are shared over it; the last of
/// them ends before MPI_Finalize, or leaks the communicator.
inline Result<std::shared_ptr<Ranks>> try_ranks(MPI_Comm comm, const Options& options = {}) {
  if (Status status = detail::check(options); !status.ok()) return status;
  MPI_Comm own = MPI_COMM_NULL;
  if (const int error = MPI_Comm_dup(comm, &own); error != MPI_SUCCESS) return detail::failed("MPI_Comm_dup", error);
  if (const int error = MPI_Comm_set_errhandler(own, MPI_ERRORS_RETURN); error != MPI_SUCCESS)
    return detail::failed("MPI_Comm_set_errhandler", error);
  return std::shared_ptr<Ranks>(std::make_shared<detail::MpiRanks>(own, options));
}

inline std::shared_ptr<Ranks> ranks(MPI_Comm comm, const Options& options = {}) {
  return value_or_throw(try_ranks(comm, options));
}

/// Ends all processes, for a program that got RK6: MPI_Finalize would wait for the rank that is gone. Half a second
/// first, since a launcher that ends its processes at once loses what they have just written.
inline void end_all(int code) {
  std::fflush(nullptr);
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  MPI_Abort(MPI_COMM_WORLD, code);
}

}  // namespace garner::mpi
