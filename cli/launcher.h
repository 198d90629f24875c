// The processes that a launcher (mpirun) has started together.
#pragma once
#include <memory>

#include "garner/ranks.h"

namespace garner::cli {

struct Launched {
  std::shared_ptr<Ranks> ranks;  // null: this process runs alone
  void (*abort)(int code) = nullptr;  // ends all of them
};

/// Loads the part of the command that knows the launcher's MPI, from the folder of the command or lib/garner beside it.
/// GARNER_MPI=openmpi|mpich names it where the environment does not; GARNER_TIMEOUT: seconds until a rank that does not
/// answer counts as gone. Rules RK6, RK7.
Result<Launched> launched();

}  // namespace garner::cli
