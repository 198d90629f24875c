// Batches from a table that stays on disk: while the rows of one batch are summed up, those of the next are on their
// way.
//   table_batches [table [ids.npy]]     table: t.npy, m.safetensors:name, m.safetensors.index.json:name
// Without arguments it makes a table of which row r holds r everywhere, asks for skewed ids, and exits with 1 unless
// every row is right.
#include <garner/format.h>
#include <garner/table.h>

#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <random>

using namespace garner;

constexpr Index kRows = 20000, kDim = 64, kBatch = 512, kBatches = 40;

/// A file in the folder for temporary files, gone at the end.
struct MadeUp {
  std::string path = (std::filesystem::temp_directory_path() / "garner-batches-XXXXXX.npy").string();
  MadeUp() {
    const int file = ::mkstemps(path.data(), 4);
    if (file < 0) throw std::runtime_error("no temporary file");
    ::close(file);
    auto writer = value_or_throw(format::NpyWriter::create(path, DType::kF32, {kRows, kDim}));
    auto* rows = static_cast<float*>(writer.view().mutable_data());
    for (Index i = 0; i < kRows * kDim; ++i) rows[i] = static_cast<float>(i / kDim);
    value_or_throw(writer.commit());
  }
  MadeUp(const MadeUp&) = delete;
  MadeUp& operator=(const MadeUp&) = delete;
  ~MadeUp() { std::filesystem::remove(path); }
};

/// Few rows are asked for often, most seldom.
Tensor skewed_ids(Index count, Index rows) {
  std::mt19937_64 random(1);
  Tensor ids = value_or_throw(Tensor::empty(DType::kI64, {count}));
  for (Index i = 0; i < count; ++i) {
    const double u = std::uniform_real_distribution<>(0, 1)(random);
    ids.as<Index>()[i] = (static_cast<Index>(std::pow(static_cast<double>(rows), u)) - 1) * 7919 % rows;
  }
  return ids;
}

/// Batch number b of the ids.
View batch_of(const View& ids, Index b) {
  const Index begin = b * kBatch, end = std::min(begin + kBatch, ids.elements());
  return ids.seen_as({end - begin}, {1}, begin);
}

/// use(batch, rows of its ids) for each batch in order.
template <class F>
void for_each_batch(const Table& table, const View& ids, F&& use) {
  const Index batches = (ids.elements() + kBatch - 1) / kBatch;
  if (batches == 0) return;
  Ticket next = table.prefetch(batch_of(ids, 0));
  for (Index b = 0; b < batches; ++b) {
    const Tensor rows = next.wait();
    if (b + 1 < batches) next = table.prefetch(batch_of(ids, b + 1));
    use(batch_of(ids, b), rows);
  }
}

void print(const Table& table) {
  const TableStats s = table.stats();
  std::cout << s.lookups << " rows, " << s.unique << " different ones in their batches, " << s.hits
            << " of these from the cache; " << s.reads << " reads, " << s.bytes_read << " bytes, " << s.amplification()
            << " for each that was missing\n";
}

/// Made up: each row must hold its number.
int check_made_up() {
  const MadeUp file;
  const Table table = open_table(file.path, {.place = Place::kDisk, .cache_bytes = 1 << 20});
  const Tensor ids = skewed_ids(kBatch * kBatches, kRows);
  Index wrong = 0;
  for_each_batch(table, ids, [&](const View& batch, const Tensor& rows) {
    for (Index i = 0; i < rows.elements(); ++i)
      wrong += rows.as<float>()[i] != static_cast<float>(static_cast<const Index*>(batch.data())[i / kDim]);
  });
  print(table);
  std::cout << (wrong == 0 ? "every row is right\n" : "wrong rows\n");
  return wrong == 0 ? 0 : 1;
}

int main(int argc, char** argv) try {
  if (argc < 2) return check_made_up();
  const Table table = open_table(argv[1]);
  const Tensor ids = argc > 2 ? value_or_throw(contiguous(value_or_throw(format::read_npy(argv[2])).view))
                              : skewed_ids(kBatch * kBatches, table.rows());
  Index bytes = 0;
  for_each_batch(table, View(ids).seen_as({ids.elements()}),
                 [&](const View&, const Tensor& rows) { bytes += rows.bytes(); });
  std::cout << bytes << " bytes of rows\n";
  print(table);
  return 0;
} catch (const std::exception& e) {
  std::cerr << e.what() << "\n";
  return 1;
}
