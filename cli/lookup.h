// garner lookup: rows of a table that need not fit memory, into a file.
#pragma once
#include <string>
#include <vector>

#include "cli/common.h"
#include "garner/ranks.h"

namespace garner::cli {

struct LookupRequest {
  std::string table, ids, out;
  std::string place = "auto", reader = "auto", policy = "trap", dtype;
  std::uint64_t cache_bytes = 64 << 20;
  int depth = 128, threads = 0;
  bool negative = false;
  double fill = 0;
  std::vector<Index> shape;
  Index offset = 0;
  bool json = false;
};
CLI::App* add_lookup(CLI::App& app, LookupRequest& request);
int lookup(const LookupRequest& request);

/// What the words of a request mean.
TableOptions table_options(const LookupRequest& request);
LookupOptions lookup_options(const LookupRequest& request);

/// Rows of all ids to `out`, in pieces of some tens of megabytes; after each piece done(bytes) is called. `ids` is
/// row-major, and so is `out`.
Status look_up(const Table& table, const View& ids, const MutableView& out, const LookupRequest& request,
               const std::function<void(Index bytes)>& done);

/// The same on all processes of a launcher: `table` lies on ranks, and rank 0 writes the file. Rules RK6, F9, F10.
Status look_up_on(const std::shared_ptr<Ranks>& ranks, const Table& table, const View& ids,
                  const LookupRequest& request);

Axes lookup_shape(const Table& table, const View& ids);

}  // namespace garner::cli
