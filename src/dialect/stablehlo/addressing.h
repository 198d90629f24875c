// What gather and scatter share, here and in anvil: dimension numbers, the checks on them, and the places they lead to.
#pragma once
#include "garner/stablehlo.h"
#include "run/job_builder.h"

namespace garner::stablehlo {

/// The dimension numbers of either operation under one set of names, 0-based.
struct Addressing {
  Axes window;  // domain axes that walk a window: offset_dims, update_window_dims
  Axes removed;  // operand axes without one: collapsed_slice_dims, inserted_window_dims
  Axes operand_batching, indices_batching;
  Axes map;  // start_index_map, scatter_dims_to_operand_dims
  Index vector_dim = 0;
};

/// A list of dimensions as messages call it, and the rule it breaks when unsorted, repeated or out of range.
struct ListWords {
  const char *name, *sorted, *unique, *range;
};

/// What an operation calls the parts of an Addressing, and the ids of its rules about them.
struct Words {
  const char* op;
  Index base = 0;  // the number of the first dimension and of the first position
  const char *operand, *indices;
  ListWords window, removed, operand_batching, indices_batching, map;
  const char *rank, *vector_range, *map_length, *vector_not_batching, *batching_lengths, *paired_extents, *integer;
};

/// Those about slice_sizes, which only a gather has.
struct GatherWords : Words {
  const char *slice_count, *slice_removed, *slice_batching, *slice_range;
  Index removed_slice_min = 0;  // the least slice size of a removed axis
};

inline Index at(const Axes& list, Index i) { return list[static_cast<std::size_t>(i)]; }

/// Axes 0…count-1 that are in none of the lists.
Axes axes_without(Index count, const Axes& a, const Axes& b = {});

/// "[1,3]" in the caller's numbering.
std::string numbered(const Words& words, const Axes& dims);

/// All rules that need nothing but shapes and dimension numbers. Call before anything below.
Status check_addressing(const Words& words, const Addressing& a, const Axes& operand, const Axes& indices,
                        Index domain_rank);
Status check_vector_dim(const Words& words, const Addressing& a, Index indices_rank);
Status check_integer(const Words& words, const View& indices);

/// Extents of the indices without their vector axis.
Axes batch_extents(const Addressing& a, const Axes& indices);
/// Operand axes that a window runs along, in the order of a.window.
Axes window_dims(const Addressing& a, Index operand_rank);

/// Bounds on a start: the window fits inside the extent. `window` 0 counts as 1, since one element is looked at.
Bounds fitting(const Words& words, Index extent, Index window, OutOfRange policy);

/// Says for every operand axis where it goes: window offset + batching coordinate + start. One Bounds per map entry.
void address(JobBuilder& job, const Words& words, const Addressing& a, const View& indices,
             const std::vector<Bounds>& bounds);

/// The operations themselves, in any words.
Result<Axes> gather_shape(const GatherWords& words, const Addressing& a, const Axes& operand, const Axes& indices,
                          const Axes& slice_sizes);
Result<Job> gather_job(const GatherWords& words, const Addressing& a, const View& operand, const View& indices,
                       const Axes& slice_sizes);

/// scatter's own words.
Words scatter_words(const char* op);

struct ScatterArguments {
  const std::vector<View>& inputs;
  const View& indices;
  const std::vector<View>& updates;
};
Result<std::vector<Job>> scatter_jobs(const Words& words, const Addressing& a, const ScatterArguments& args,
                                      const Computation& computation, OutOfBounds out_of_bounds);

/// The built-in computations by name: replace add mul min max and or xor.
Result<Computation> computation_named(const std::string& op, const std::string& name);

/// element, window; rule scatter_O1.
Result<OutOfBounds> out_of_bounds_named(const std::string& op, const std::string& name);

/// run() on each, all results in order.
std::vector<Tensor> run_all(const Result<std::vector<Job>>& jobs, const RunOptions& options);

}  // namespace garner::stablehlo
