// What gather, scatter and the atomics share: the index tuple, the mask, the latency hint and the value arguments.
#pragma once
#include "garner/cutile.h"
#include "run/job_builder.h"

namespace garner::cutile {

/// One call being lowered, its index tuple already checked.
struct Access {
  std::string op;
  View array;
  std::vector<View> tiles;   // one per axis of the array
  Axes shape;                // what the tiles broadcast to: the domain
  std::vector<Tensor> kept;  // values cast to the array's dtype; they move into the job
};

/// A value argument: its name, the rules for a shape and for a dtype that do not fit, and what was given.
struct ValueArgument {
  const char* name;
  const char* shape_rule;
  const char* cast_rule;
  const TileOrConstant& value;
};

/// Lowering reads strides before run() validates its inputs, so a view with too few of them is refused here (V3).
Status check_strides(const std::string& op, const View& view, const char* what);

/// Rules CT5, CT3, CT6, in the source's order.
Result<Access> make_access(std::string op, const View& array, const Indices& indices);

Status check_mask(const Access& access, const std::optional<View>& mask);          // CT10
Status check_latency(const Access& access, const std::optional<Index>& latency);  // CT19

/// The value in the array's dtype and the index shape.
Result<View> value_tile(Access& access, const ValueArgument& argument);

/// May a tile of one dtype stand where another is wanted (CT21)?
bool casts_implicitly(DType from, DType to);

/// Each axis of the array follows its own index tile.
void look_up_all(JobBuilder& job, const Access& access, OutOfRange policy);
JobBuilder scatter_job(const Access& access, const View& updates, Combine combine, bool check_bounds);
Job finish(JobBuilder job, Access access);

}  // namespace garner::cutile
