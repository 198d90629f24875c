// Tables on ranks under a real MPI: every answer against one process's, computed beside it. Built against each MPI that
// is installed; `ranks_check <what>` under a launcher, with any number of ranks. Ends with 0 where all is as it should
// be.
#include <garner/mpi.h>
#include <garner/torch.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstring>
#include <functional>
#include <map>

namespace garner {
namespace {

int failures = 0;

void expect(bool good, const std::string& what, int rank) {
  if (good) return;
  ++failures;
  std::fprintf(stderr, "rank %d: %s is not as on one process\n", rank, what.c_str());
}

std::uint64_t mix(std::uint64_t x) {
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
  x = (x ^ x >> 27) * 0x94D049BB133111EBu;
  return x ^ x >> 31;
}

/// Numbers whose sums depend on their order; the same on all ranks.
Tensor numbers(const Axes& shape, std::uint64_t seed) {
  Tensor out = value_or_throw(Tensor::empty(DType::kF32, shape));
  for (Index i = 0; i < out.elements(); ++i)
    out.as<float>()[i] = static_cast<float>(mix(seed + static_cast<std::uint64_t>(i)) % 20001) * 1e-3F - 10;
  return out;
}

/// Half of them one row, so that it has more contributions than are summed one after another.
Tensor some_ids(Index count, Index rows) {
  Tensor out = value_or_throw(Tensor::empty(DType::kI64, {count}));
  for (Index i = 0; i < count; ++i) {
    const auto n = mix(static_cast<std::uint64_t>(i) * 3 + 1);
    out.as<Index>()[i] = n % 2 == 0 ? 5 : static_cast<Index>(n / 2 % static_cast<std::uint64_t>(rows));
  }
  return out;
}

View rows_between(const View& whole, Index begin, Index end) {
  Axes shape = whole.shape();
  shape[0] = end - begin;
  return whole.seen_as(shape, whole.stride(), begin * whole.stride()[0]);
}

/// Rank k's part of a batch: other extents on every rank, none on rank 2.
struct Part {
  Index begin, end;
  Part(Index count, int rank, int size) : begin(at(count, rank, size)), end(at(count, rank + 1, size)) {}
  View of(const View& whole) const { return rows_between(whole, begin, end); }

 private:
  static Index at(Index count, int k, int size) { return k == 3 && size > 3 ? count * 2 / size : count * k / size; }
};

/// The rows of a whole table that a rank has.
Tensor shard_of(const View& whole, const Sharding& s, int rank) {
  Axes ids;
  for (Index j = 0; j < s.extent(rank); ++j) ids.push_back(s.id(s.begin(rank) + j));
  return gather(table_of(whole), ids);
}

/// A number for all rows of all ranks, whoever has them: the sum over (where, bits).
std::uint64_t checksum(const View& rows, const std::function<Index(Index)>& where) {
  const Tensor packed = value_or_throw(contiguous(rows));
  const Index each = packed.elements() / std::max<Index>(1, packed.shape()[0]);
  std::uint64_t sum = 0;
  for (Index i = 0; i < packed.elements(); ++i) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, packed.as<float>() + i, sizeof bits);
    sum += mix(mix(static_cast<std::uint64_t>(where(i / each) * each + i % each)) ^ bits);
  }
  return sum;
}

void print_sum(const std::string& what, std::uint64_t mine, int rank) {
  std::uint64_t all = 0;
  MPI_Allreduce(&mine, &all, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) std::printf("%-40s %016llx\n", what.c_str(), static_cast<unsigned long long>(all));
}

// ---- check: gathers, gradients and steps have one process's bits ----

constexpr Index kRows = 1000, kIds = 60000;

struct Setting {
  const char* name;
  ShareOptions share;
  mpi::Options mpi = {};
};

struct Whole {
  Tensor table = numbers({kRows, 7}, 1), ids = some_ids(kIds, kRows), updates = numbers({kIds, 7}, 2);
  Tensor rows = gather(table_of(table), ids);
  Tensor added = torch::index_add(table, 0, ids, updates);
  Tensor stepped = value_or_throw(table.clone());
  Whole() {
    Adagrad optimiser;
    for (int i = 0; i < 2; ++i) optimiser.step(stepped.view(), row_gradient(ids, updates, table.shape()));
  }
};

void check_setting(const Setting& s, const Whole& whole) {
  const auto ranks = mpi::ranks(MPI_COMM_WORLD, s.mpi);
  const int rank = ranks->rank();
  const Part part(kIds, rank, ranks->size());
  const std::string name = s.name;
  const Table table = share(ranks, table_of(whole.table), s.share);
  const Sharding rows = sharding(table);
  const auto id = [&](Index row) { return rows.id(rows.begin(rank) + row); };
  const RowExchange plan = row_exchange(table, part.of(whole.ids));
  const Tensor got = gather(table, plan);
  expect(same_bits(got, part.of(whole.rows)), name + " gather", rank);
  print_sum(name + " gather", checksum(got, [&](Index i) { return part.begin + i; }), rank);

  Adagrad optimiser;
  for (int i = 0; i < 2; ++i)
    optimiser.step(local(table), row_gradient(table, part.of(whole.ids), part.of(whole.updates)));
  expect(same_bits(local(table), shard_of(whole.stepped, rows, rank)), name + " adagrad", rank);
  print_sum(name + " adagrad", checksum(local(table), id), rank);

  const Table fresh = share(ranks, table_of(whole.table), s.share);
  scatter_add(fresh, plan, part.of(whole.updates));
  expect(same_bits(local(fresh), shard_of(whole.added, rows, rank)), name + " scatter_add", rank);
  print_sum(name + " scatter_add", checksum(local(fresh), id), rank);
}

/// Rule RK7.
void check_options() {
  for (const mpi::Options& bad : {mpi::Options{.timeout = -1}, {.piece_bytes = 0}, {.piece_bytes = Index{1} << 31}})
    expect(mpi::try_ranks(MPI_COMM_WORLD, bad).status().rule == "RK7", "a bad option", 0);
}

void check() {
  const Whole whole;
  const Setting settings[] = {{"block", {Shards::kBlock}},
                              {"cyclic", {Shards::kCyclic}},
                              {"hashed", {Shards::kHashed}},
                              {"block, not unique", {Shards::kBlock, false}},
                              {"pieces of 1000 bytes", {Shards::kHashed}, {.piece_bytes = 1000}}};
  for (const Setting& s : settings) check_setting(s, whole);
  check_options();
}

// ---- bad-index: the same words on every rank ----

void bad_index() {
  const auto ranks = mpi::ranks(MPI_COMM_WORLD);
  const int rank = ranks->rank(), bad = ranks->size() - 1;
  const Tensor whole = numbers({kRows, 7}, 1);
  const Table table = share(ranks, table_of(whole));
  const Status status = tables::gather(table, tensor({Index{rank == bad ? kRows : 3}})).status();
  std::string wanted = "gather: index[0] is 1000, allowed [0, 1000) on axis 0 of operand [1000,7]";
  if (ranks->size() > 1) wanted += ", on rank " + std::to_string(bad) + " of " + std::to_string(ranks->size());
  expect(status.code == Code::kIndex && status.message == wanted, "'" + status.message + "'", rank);
  expect(same_bits(gather(table, tensor({3L})), gather(table_of(whole), tensor({3L}))), "the next gather", rank);
  if (rank == 0) std::printf("%s\n", status.message.c_str());
}

// ---- a rank that ends, or stands still, in the middle of a gather ----

/// Raises a signal on the last rank at its n-th start of messages.
class Struck : public Ranks {
 public:
  Struck(std::shared_ptr<Ranks> ranks, int signal) : ranks_(std::move(ranks)), signal_(signal) {}
  int rank() const override { return ranks_->rank(); }
  int size() const override { return ranks_->size(); }
  double timeout() const override { return ranks_->timeout(); }
  Result<std::unique_ptr<Transfer>> start(Messages messages) override {
    if (rank() == size() - 1 && armed && ++starts_ == kRowsStart) std::raise(signal_);
    return ranks_->start(std::move(messages));
  }
  bool armed = false;

 private:
  static constexpr int kRowsStart = 5;  // agreed, counted, agreed, ids sent: now the rows
  std::shared_ptr<Ranks> ranks_;
  int signal_;
  int starts_ = 0;
};

void struck_by(int signal) {
  const auto ranks = std::make_shared<Struck>(mpi::ranks(MPI_COMM_WORLD, {.timeout = 3}), signal);
  const Tensor whole = numbers({kRows, 7}, 1);
  const Table table = share(ranks, table_of(whole));
  ranks->armed = true;
  const Status status = tables::gather(table, some_ids(kIds, kRows)).status();
  std::fprintf(stderr, "rank %d: %s %s\n", ranks->rank(), status.rule.c_str(), status.message.c_str());
  mpi::end_all(status.ok() ? 0 : 3);
}

// ---- large: one message of more than 2^31 bytes, and a gather of as many ----

/// The last rank asks for the rows of rank 0, 4 MiB each, over and over.
void large_gather(const std::shared_ptr<Ranks>& ranks) {
  const Index columns = 1 << 20, count = 2200 / 4;
  const int rank = ranks->rank();
  const Tensor rows = numbers({rank == 0 ? 2 : 0, columns}, 1);
  const Table table = share(ranks, rows, {Shards::kBlock, false});
  Axes ids;
  for (Index i = 0; rank == ranks->size() - 1 && i < count; ++i) ids.push_back(i % 2);
  const Tensor got = gather(table, ids), wanted = numbers({2, columns}, 1);
  for (std::size_t i = 0; i < ids.size(); ++i)
    expect(std::memcmp(got.as<float>() + static_cast<Index>(i) * columns, wanted.as<float>() + ids[i] * columns,
                       static_cast<std::size_t>(columns) * 4) == 0,
           "row " + std::to_string(i), rank);
  if (!ids.empty()) std::printf("a gather of %lld bytes arrived\n", static_cast<long long>(got.bytes()));
}

void large_message(const std::shared_ptr<Ranks>& ranks) {
  const int rank = ranks->rank();
  const Index words = (Index{2200} << 20) / 8;
  auto memory = std::make_shared<std::vector<std::uint64_t>>(rank < 2 ? static_cast<std::size_t>(words) : 0);
  const std::span bytes(reinterpret_cast<std::byte*>(memory->data()), memory->size() * 8);
  Messages messages{std::vector<std::span<const std::byte>>(static_cast<std::size_t>(ranks->size())),
                    std::vector<std::span<std::byte>>(static_cast<std::size_t>(ranks->size())), memory};
  for (std::size_t i = 0; rank == 0 && i < memory->size(); ++i) (*memory)[i] = mix(i);
  if (rank == 0) messages.sends[1] = bytes;
  if (rank == 1) messages.receives[0] = bytes;
  const auto transfer = value_or_throw(ranks->start(messages));
  while (value_or_throw(transfer->poll()) > 0) {}
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < memory->size(); ++i) wrong += (*memory)[i] == mix(i) ? 0U : 1U;
  expect(wrong == 0, "a message of " + std::to_string(words * 8) + " bytes", rank);
  if (rank == 1) std::printf("a message of %lld bytes arrived\n", static_cast<long long>(words * 8));
}

void large() {
  const auto ranks = mpi::ranks(MPI_COMM_WORLD);
  large_message(ranks);
  large_gather(ranks);
}

const std::map<std::string, std::function<void()>> kModes = {{"check", check},
                                                             {"bad-index", bad_index},
                                                             {"killed", [] { struck_by(SIGKILL); }},
                                                             {"stopped", [] { struck_by(SIGSTOP); }},
                                                             {"large", large}};

int main_of(const std::string& mode) {
  const auto found = kModes.find(mode);
  if (found == kModes.end()) {
    std::fprintf(stderr, "ranks_check: mode is '%s', allowed check bad-index killed stopped large\n", mode.c_str());
    return 2;
  }
  MPI_Init(nullptr, nullptr);
  try {
    found->second();
  } catch (const Error& error) {
    std::fprintf(stderr, "ranks_check: %s\n", error.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  int all = 0;
  MPI_Allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
  return all == 0 ? 0 : 1;
}

}  // namespace
}  // namespace garner

int main(int argc, char** argv) { return garner::main_of(argc > 1 ? argv[1] : ""); }
