#include "cli/lookup.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>

#include "base/fail.h"
#include "cli/launcher.h"
#include "garner/format.h"
#include "ranks/group.h"
#include "table/resolve.h"

namespace garner::cli {
namespace {

using Clock = std::chrono::steady_clock;

const std::map<std::string, Place> kPlaces{
    {"auto", Place::kAuto}, {"memory", Place::kMemory}, {"mapped", Place::kMapped}, {"disk", Place::kDisk}};
const std::map<std::string, DiskReader> kReaders{
    {"auto", DiskReader::kAuto}, {"uring", DiskReader::kUring}, {"threads", DiskReader::kThreads}};
const std::map<std::string, OutOfRange> kPolicies{{"trap", OutOfRange::kTrap},
                                                  {"clamp", OutOfRange::kClamp},
                                                  {"modulo", OutOfRange::kModulo},
                                                  {"fill", OutOfRange::kFill}};

template <class Map>
std::vector<std::string> words_of(const Map& map) {
  std::vector<std::string> words;
  for (const auto& [word, value] : map) words.push_back(word);
  return words;
}

std::vector<std::string> dtype_names() {
  std::vector<std::string> names;
  for (const DTypeInfo& d : kDTypes) names.emplace_back(d.name);
  return names;
}

/// Elements [begin, end) of a row-major view.
View part_of(const View& flat, Index begin, Index end) { return flat.seen_as({end - begin}, {1}, begin); }

struct Outcome {
  DType dtype;
  Axes shape;
  Index bytes;
  Place place;
  TableStats stats;
  double seconds;
};

/// A bad index is named before a file is made, by its place among all ids.
Status check_ids(const Table& table, const View& ids, const LookupRequest& request) {
  GARNER_ASSIGN(const Job job, lower_lookup(*table.backend(), ids, lookup_options(request)));
  return to_status(resolve_rows(job, {.threads = request.threads}));
}

struct Inputs {
  Tensor ids;
  Table table;
};

Result<Inputs> inputs_of(const LookupRequest& request) {
  GARNER_ASSIGN(const format::Mapped file, format::read(request.ids));
  GARNER_ASSIGN(Tensor ids, contiguous(file.view));
  GARNER_ASSIGN(Table table, tables::open(request.table, table_options(request)));
  GARNER_TRY(check_ids(table, ids, request));
  return Inputs{std::move(ids), std::move(table)};
}

Outcome outcome_of(const Table& table, const View& ids, Clock::time_point begin) {
  const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  const Axes shape = lookup_shape(table, ids);
  const Index bytes = View(table.dtype(), nullptr, shape).elements() * width(table.dtype());
  return {table.dtype(), shape, bytes, table.place(), table.stats(), seconds};
}

Result<Outcome> run(const LookupRequest& request) {
  const auto begin = Clock::now();
  GARNER_ASSIGN(const Inputs in, inputs_of(request));
  const Axes shape = lookup_shape(in.table, in.ids);
  GARNER_ASSIGN(format::NpyWriter writer, format::NpyWriter::create(request.out, in.table.dtype(), shape));
  Progress progress(static_cast<double>(writer.view().elements() * width(in.table.dtype())));
  GARNER_TRY(look_up(in.table, in.ids, writer.view(), request, [&](Index some) {
    progress.advance(static_cast<double>(some));
    writer.forget();
  }));
  GARNER_TRY(writer.commit());
  return outcome_of(in.table, in.ids, begin);
}

/// Each rank keeps its share of the table in memory.
Result<Outcome> run_on(const std::shared_ptr<Ranks>& ranks, const LookupRequest& request) {
  const auto begin = Clock::now();
  const Result<Inputs> in = inputs_of(request);
  GARNER_TRY(Group(ranks).agree(in.status()));
  GARNER_ASSIGN(const Table table, tables::share(ranks, in->table));
  GARNER_TRY(look_up_on(ranks, table, in->ids, request));
  return outcome_of(table, in->ids, begin);
}

std::string place_word(Place place) {
  for (const auto& [word, value] : kPlaces)
    if (value == place) return word;
  return "ranks";
}

void print(const Outcome& o, const LookupRequest& request) {
  fmt::print("{} {} in {}, {:.1f} MB in {:.2f} s ({:.0f} rows/s, {:.1f} MB/s)\n", name(o.dtype), list(o.shape),
             request.out, static_cast<double>(o.bytes) / 1e6, o.seconds,
             static_cast<double>(o.stats.lookups) / o.seconds, static_cast<double>(o.bytes) / 1e6 / o.seconds);
  if (o.place == Place::kRanks)
    fmt::print("ranks: this one asked for {} different rows and had {} of them; {:.1f} MB sent, {:.1f} MB received\n",
               o.stats.unique, o.stats.hits, static_cast<double>(o.stats.bytes_sent) / 1e6,
               static_cast<double>(o.stats.bytes_received) / 1e6);
  if (o.place != Place::kDisk) return;
  fmt::print("disk: {} different rows, {} of them from the cache; {} reads, {:.1f} MB ({:.1f} for each byte)\n",
             o.stats.unique, o.stats.hits, o.stats.reads, static_cast<double>(o.stats.bytes_read) / 1e6,
             o.stats.amplification());
}

void print_json(const Outcome& o, const LookupRequest& request) {
  const nlohmann::ordered_json out{{"dtype", name(o.dtype)},
                                   {"shape", o.shape},
                                   {"file", request.out},
                                   {"place", place_word(o.place)},
                                   {"lookups", o.stats.lookups},
                                   {"unique", o.stats.unique},
                                   {"hits", o.stats.hits},
                                   {"reads", o.stats.reads},
                                   {"bytes_asked", o.stats.bytes_asked},
                                   {"bytes_read", o.stats.bytes_read},
                                   {"bytes_sent", o.stats.bytes_sent},
                                   {"bytes_received", o.stats.bytes_received},
                                   {"seconds", o.seconds}};
  fmt::print("{}\n", out.dump());
}

}  // namespace

TableOptions table_options(const LookupRequest& request) {
  return {.place = kPlaces.at(request.place),
          .cache_bytes = static_cast<Index>(request.cache_bytes),
          .queue_depth = request.depth,
          .reader = kReaders.at(request.reader),
          .dtype = dtype_named(request.dtype),
          .shape = request.shape,
          .offset = request.offset};
}

LookupOptions lookup_options(const LookupRequest& request) {
  return {.out_of_range = kPolicies.at(request.policy), .negative = request.negative, .fill = request.fill};
}

Status look_up(const Table& table, const View& ids, const MutableView& out, const LookupRequest& request,
               const std::function<void(Index bytes)>& done) {
  constexpr Index kPiece = Index{64} << 20;
  const Index count = ids.elements();
  if (count == 0 || out.elements() == 0) return {};
  const Index row = out.elements() / count, row_bytes = row * width(out.dtype());
  const Index each = std::max<Index>(kPiece / row_bytes, 1);
  Axes shape = table.shape();
  for (Index begin = 0; begin < count; begin += each) {
    const Index end = std::min(begin + each, count);
    shape[0] = end - begin;
    const MutableView part = out.seen_as(shape, row_major(shape), begin * row);
    GARNER_TRY(tables::gather_into(table, part_of(ids, begin, end), part, lookup_options(request),
                                   {.threads = request.threads}));
    done((end - begin) * row_bytes);
  }
  return {};
}

CLI::App* add_lookup(CLI::App& app, LookupRequest& r) {
  CLI::App* command = app.add_subcommand("lookup", "rows of a table that need not fit memory, into a file");
  command->add_option("table", r.table, "t.npy, m.safetensors:name, m.safetensors.index.json:name, or a raw file")
      ->required();
  command->add_option("ids", r.ids, "integers: a .npy, or a .npz or .safetensors with one array")->required();
  command->add_option("-o,--output", r.out, "an .npy, written as it is read")->required();
  command->add_option("--place", r.place, "where the rows lie meanwhile")->check(CLI::IsMember(words_of(kPlaces)));
  command->add_option("--cache", r.cache_bytes, "disk: memory for rows, such as 64MB")
      ->transform(CLI::AsSizeValue(false));
  command->add_option("--depth", r.depth, "disk: reads under way")->check(CLI::Range(1, 4096));
  command->add_option("--reader", r.reader, "disk: how it is asked")->check(CLI::IsMember(words_of(kReaders)));
  command->add_option("--out-of-range", r.policy, "what other indices mean")->check(CLI::IsMember(words_of(kPolicies)));
  command->add_flag("--negative", r.negative, "negative indices count from the end");
  command->add_option("--fill", r.fill, "every element of a row that is filled");
  command->add_option("--dtype", r.dtype, "of a raw file, or an .npy that does not say it")
      ->check(CLI::IsMember(dtype_names()));
  command->add_option("--shape", r.shape, "of a raw file: rows,row shape")->delimiter(',');
  command->add_option("--offset", r.offset, "of a raw file: bytes before the first row")->check(CLI::NonNegativeNumber);
  command->add_option("--threads", r.threads, "0: one per core")->check(CLI::Range(0, 4096));
  command->add_flag("--json", r.json,
                    "{dtype, shape, file, place, lookups, unique, hits, reads, bytes_read, bytes_sent, seconds}");
  command->footer(
      "Examples:\n"
      "  garner lookup model.safetensors:emb ids.npy -o rows.npy\n"
      "  garner lookup model.safetensors.index.json:emb ids.npy -o rows.npy --place disk --cache 1GB\n"
      "  mpirun -n 4 garner lookup table.npy ids.npy -o rows.npy\n"
      "  garner lookup rows.bin ids.npy -o rows.npy --dtype f32 --shape 1000000,64 --out-of-range fill");
  return command;
}

Axes lookup_shape(const Table& table, const View& ids) {
  Axes shape = ids.shape();
  shape.insert(shape.end(), table.shape().begin() + 1, table.shape().end());
  return shape;
}

namespace {

/// The same error is on all ranks, so one of them says it; but one that does not answer each has found by itself.
int report_on(const Launched& group, const Status& status) {
  if (status.rule != "RK6") return group.ranks && group.ranks->rank() > 0 ? exit_of(status) : report(status);
  const int code = report(status);
  if (group.abort != nullptr) group.abort(code);
  return code;
}

}  // namespace

int lookup(const LookupRequest& request) {
  if (!request.out.ends_with(".npy")) return report_usage(fmt::format("-o is '{}', allowed an .npy", request.out));
  const auto group = launched();
  if (!group.ok()) return report(group.status());
  const auto outcome = group->ranks ? run_on(group->ranks, request) : run(request);
  if (!outcome.ok()) return report_on(*group, outcome.status());
  if (group->ranks && group->ranks->rank() > 0) return kDone;
  if (request.json) print_json(*outcome, request);
  else print(*outcome, request);
  return kDone;
}

}  // namespace garner::cli
