// Rows over ranks against PETSc's PetscSF, a hand-written MPI_Alltoallv, and the same bytes with nothing else. Prints
// one line of JSON a row. `mpirun -n 4 ranks_bench <rows> <ids a rank> <repeats>`; bench/tables/ranks.py starts it.
#include <garner/mpi.h>

#ifdef GARNER_PETSC
#include <petscsf.h>
#endif

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <random>

namespace garner {
namespace {

constexpr Index kColumns = 64, kRowBytes = kColumns * 4;

struct Size {
  Index rows, ids;
  int repeats;
};

// ---- ids, as bench/data.py has them ----

Axes uniform(const Size& size, int rank) {
  std::mt19937_64 random(static_cast<unsigned>(rank) + 1);
  Axes out(static_cast<std::size_t>(size.ids));
  for (Index& id : out) id = static_cast<Index>(random() % static_cast<std::uint64_t>(size.rows));
  return out;
}

Axes zipf(const Size& size, int rank) {
  constexpr double kPower = 1 - 1.05;
  std::mt19937_64 random(static_cast<unsigned>(rank) + 1);
  std::uniform_real_distribution<double> draw(0, 1);
  const double top = std::pow(static_cast<double>(size.rows) + 1, kPower);
  Axes out(static_cast<std::size_t>(size.ids));
  for (Index& id : out) {
    const auto r = static_cast<Index>(std::pow(1 + draw(random) * (top - 1), 1 / kPower)) - 1;
    id = std::clamp<Index>(r, 0, size.rows - 1) * 2654435761 % size.rows;
  }
  return out;
}

// ---- timing ----

/// From the moment all ranks are there to the moment the last one is done.
double seconds_of(const std::function<void()>& work) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double began = MPI_Wtime();
  work();
  double mine = MPI_Wtime() - began, all = 0;
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return all;
}

struct Way {
  std::string name;
  std::function<void()> work;
  std::vector<double> seconds = {};
  double median() const {
    std::vector<double> sorted = seconds;
    std::sort(sorted.begin(), sorted.end());
    return sorted[sorted.size() / 2];
  }
};

/// In turn, so that what else the machine does falls on all of them; once before, unmeasured.
void measure(std::vector<Way>& ways, int repeats) {
  for (Way& way : ways) way.work();
  for (int i = 0; i < repeats; ++i)
    for (Way& way : ways) way.seconds.push_back(seconds_of(way.work));
}

void print(const char* spread, const char* direction, const std::vector<Way>& ways, int rank) {
  if (rank != 0) return;
  for (const Way& way : ways) {
    const auto [least, most] = std::minmax_element(way.seconds.begin(), way.seconds.end());
    std::printf("{\"spread\":\"%s\",\"direction\":\"%s\",\"way\":\"%s\",\"ms\":%.1f,\"least\":%.1f,\"most\":%.1f}\n",
                spread, direction, way.name.c_str(), way.median() * 1e3, *least * 1e3, *most * 1e3);
  }
  std::fflush(stdout);
}

// ---- by hand: who asks for what is exchanged once, then rows are packed, sent and unpacked ----

class ByHand {
 public:
  ByHand(const Axes& ids, const Size& size, int rank, int ranks)
      : rank_(rank), sends_(std::size_t(ranks)), receives_(std::size_t(ranks)), order_(ids.size()) {
    const Index block = size.rows / ranks;
    for (const Index id : ids) ++receives_[std::size_t(std::min<Index>(id / block, ranks - 1))];
    const std::vector<int> begins = begins_of(receives_);
    std::vector<int> next = begins;
    Axes wanted(ids.size());
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const Index owner = std::min<Index>(ids[i] / block, ranks - 1);
      const int at = next[std::size_t(owner)]++;
      order_[std::size_t(at)] = static_cast<Index>(i);
      wanted[std::size_t(at)] = ids[i] - owner * block;
    }
    MPI_Alltoall(receives_.data(), 1, MPI_INT, sends_.data(), 1, MPI_INT, MPI_COMM_WORLD);
    asked_.resize(std::size_t(begins_of(sends_).back()));
    MPI_Alltoallv(wanted.data(), receives_.data(), begins.data(), MPI_INT64_T, asked_.data(), sends_.data(),
                  begins_of(sends_).data(), MPI_INT64_T, MPI_COMM_WORLD);
    MPI_Type_contiguous(kColumns, MPI_FLOAT, &row_);
    MPI_Type_commit(&row_);
    out_.resize(asked_.size() * kColumns);
    in_.resize(order_.size() * kColumns);
  }
  ByHand(const ByHand&) = delete;
  ByHand& operator=(const ByHand&) = delete;
  ~ByHand() { MPI_Type_free(&row_); }

  void move_rows() {
    MPI_Alltoallv(out_.data(), sends_.data(), begins_of(sends_).data(), row_, in_.data(), receives_.data(),
                  begins_of(receives_).data(), row_, MPI_COMM_WORLD);
  }
  void move_rows_back() {
    MPI_Alltoallv(in_.data(), receives_.data(), begins_of(receives_).data(), row_, out_.data(), sends_.data(),
                  begins_of(sends_).data(), row_, MPI_COMM_WORLD);
  }
  void gather(const float* table, float* to) {
    for (std::size_t i = 0; i < asked_.size(); ++i)
      std::memcpy(&out_[i * kColumns], table + asked_[i] * kColumns, kRowBytes);
    move_rows();
    for (std::size_t i = 0; i < order_.size(); ++i)
      std::memcpy(to + order_[i] * kColumns, &in_[i * kColumns], kRowBytes);
  }
  void add(float* table, const float* from) {
    for (std::size_t i = 0; i < order_.size(); ++i)
      std::memcpy(&in_[i * kColumns], from + order_[i] * kColumns, kRowBytes);
    move_rows_back();
    for (std::size_t i = 0; i < asked_.size(); ++i)
      for (Index c = 0; c < kColumns; ++c)
        table[asked_[i] * kColumns + c] += out_[i * kColumns + static_cast<std::size_t>(c)];
  }

 private:
  static std::vector<int> begins_of(const std::vector<int>& counts) {
    std::vector<int> out = {0};
    for (const int n : counts) out.push_back(out.back() + n);
    return out;
  }

  int rank_;
  std::vector<int> sends_, receives_;  // rows
  Axes order_, asked_;
  std::vector<float> out_, in_;
  MPI_Datatype row_ = MPI_DATATYPE_NULL;
};

// ---- PetscSF: every position is a leaf of the row it wants ----

#ifdef GARNER_PETSC
class Star {
 public:
  Star(const Axes& ids, const Size& size, int rank, int ranks) {
    const Index block = size.rows / ranks;
    std::vector<PetscSFNode> roots(ids.size());
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const Index owner = std::min<Index>(ids[i] / block, ranks - 1);
      roots[i] = {static_cast<PetscInt>(owner), static_cast<PetscInt>(ids[i] - owner * block)};
    }
    const Index mine = rank == ranks - 1 ? size.rows - block * (ranks - 1) : block;
    good(PetscSFCreate(PETSC_COMM_WORLD, &star_));
    good(PetscSFSetGraph(star_, static_cast<PetscInt>(mine), static_cast<PetscInt>(ids.size()), nullptr,
                         PETSC_COPY_VALUES, roots.data(), PETSC_COPY_VALUES));
    good(PetscSFSetUp(star_));
    // PETSc adds numbers of its own type alone, double: half as many of them, as many bytes.
    MPI_Type_contiguous(kColumns / 2, MPIU_REAL, &row_);
    MPI_Type_commit(&row_);
  }
  Star(const Star&) = delete;
  Star& operator=(const Star&) = delete;
  ~Star() {
    good(PetscSFDestroy(&star_));
    MPI_Type_free(&row_);
  }

  void gather(const float* table, float* to) {
    good(PetscSFBcastBegin(star_, row_, table, to, MPI_REPLACE));
    good(PetscSFBcastEnd(star_, row_, table, to, MPI_REPLACE));
  }
  void add(float* table, const float* from) {
    good(PetscSFReduceBegin(star_, row_, from, table, MPI_SUM));
    good(PetscSFReduceEnd(star_, row_, from, table, MPI_SUM));
  }

 private:
  static void good(PetscErrorCode code) {
    if (code != 0) MPI_Abort(MPI_COMM_WORLD, 1);
  }
  PetscSF star_ = nullptr;
  MPI_Datatype row_ = MPI_DATATYPE_NULL;
};
#endif

// ---- the rows of one spread ----

struct Bench {
  Size size;
  int rank, ranks;
  Tensor shard, out, updates;
  Table every, unique;  // dedup off and on

  Bench(const Size& s, const std::shared_ptr<Ranks>& r)
      : size(s),
        rank(r->rank()),
        ranks(r->size()),
        shard(filled({s.rows / ranks + (rank == ranks - 1 ? s.rows % ranks : 0), kColumns})),
        out(filled({s.ids, kColumns})),
        updates(filled({s.ids, kColumns})),
        every(share(r, shard, {Shards::kBlock, false})),
        unique(share(r, shard, {Shards::kBlock, true})) {}

  static Tensor filled(const Axes& shape) {
    Tensor t = value_or_throw(Tensor::empty(DType::kF32, shape));
    std::fill_n(t.as<float>(), t.elements(), 0.0F);
    return t;
  }
};

void run(Bench& b, const char* spread, const Axes& ids) {
  const RunOptions one{.threads = 1}, fast{.threads = 1, .determinism = Determinism::kFast};
  const RowExchange every = row_exchange(b.every, ids, {}, one), unique = row_exchange(b.unique, ids, {}, one);
  const auto hand = std::make_unique<ByHand>(ids, b.size, b.rank, b.ranks);
  auto* out = b.out.as<float>();
  auto* shard = b.shard.as<float>();
  const auto* updates = b.updates.as<float>();
  std::vector<Way> forwards = {
      {"alltoallv alone", [&] { hand->move_rows(); }},
      {"alltoallv by hand", [&] { hand->gather(shard, out); }},
      {"garner, every row", [&] { gather_into(b.every, every, b.out.view(), one); }},
      {"garner, unique rows", [&] { gather_into(b.unique, unique, b.out.view(), one); }},
      {"garner, every row, with its plan", [&] { gather_into(b.every, ids, b.out.view(), {}, one); }},
      {"garner, unique rows, with its plan", [&] { gather_into(b.unique, ids, b.out.view(), {}, one); }}};
  std::vector<Way> backwards = {{"alltoallv alone", [&] { hand->move_rows_back(); }},
                                {"alltoallv by hand", [&] { hand->add(shard, updates); }},
                                {"garner, exact", [&] { scatter_add(b.every, every, b.updates, one); }},
                                {"garner, fast, unique rows", [&] { scatter_add(b.unique, unique, b.updates, fast); }}};
#ifdef GARNER_PETSC
  Star star(ids, b.size, b.rank, b.ranks);
  forwards.push_back({"PetscSF", [&] { star.gather(shard, out); }});
  forwards.push_back({"PetscSF, with its plan", [&] { Star(ids, b.size, b.rank, b.ranks).gather(shard, out); }});
  backwards.push_back({"PetscSF", [&] { star.add(shard, updates); }});
#endif
  measure(forwards, b.size.repeats);
  print(spread, "forwards", forwards, b.rank);
  measure(backwards, b.size.repeats);
  print(spread, "backwards", backwards, b.rank);
}

/// Bytes each rank sent for one gather.
void print_bytes(Bench& b, const char* spread, const Axes& ids) {
  for (Table* table : {&b.every, &b.unique}) {
    const auto before = table->stats();
    gather_into(*table, ids, b.out.view());
    const auto after = table->stats();
    Index mine[] = {after.bytes_sent - before.bytes_sent, after.unique - before.unique}, all[2] = {};
    MPI_Allreduce(mine, all, 2, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    if (b.rank == 0)
      std::printf("{\"spread\":\"%s\",\"way\":\"%s\",\"bytes_a_rank\":%lld,\"rows_a_rank\":%lld}\n", spread,
                  table == &b.every ? "every row" : "unique rows", static_cast<long long>(all[0] / b.ranks),
                  static_cast<long long>(all[1] / b.ranks));
  }
}

void bench(const Size& size) {
  const auto ranks = mpi::ranks(MPI_COMM_WORLD);
  Bench b(size, ranks);
  for (const auto& [name, ids] : {std::pair{"uniform", uniform(size, b.rank)}, std::pair{"zipf", zipf(size, b.rank)}}) {
    print_bytes(b, name, ids);
    run(b, name, ids);
  }
}

}  // namespace
}  // namespace garner

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
#ifdef GARNER_PETSC
  if (PetscInitialize(nullptr, nullptr, nullptr, nullptr) != 0) return 1;
#endif
  const auto number = [&](int at, long long otherwise) { return argc > at ? std::atoll(argv[at]) : otherwise; };
  try {
    garner::bench({number(1, 4'000'000), number(2, 1'000'000), static_cast<int>(number(3, 7))});
  } catch (const garner::Error& error) {
    std::fprintf(stderr, "ranks_bench: %s\n", error.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
#ifdef GARNER_PETSC
  (void)PetscFinalize();
#endif
  MPI_Finalize();
  return 0;
}
