// x.at[key]: NumPy's keys with JAX's meaning of an index outside.
#pragma once
#include "dialect/jax/mode.h"
#include "dialect/numpy/key.h"

namespace garner::jax {

struct Indexing {
  const char* op;
  const View& x;
  const numpy::Key& key;
  OutOfRange outside;
  bool wraps;
};

/// The places of the key. An integer is an index like any other, so one outside is no error. Rules JX41–JX45, JX49,
/// JX50.
Result<numpy::Selection> select(const Indexing& indexing);

/// The job, addressed by the selection, which it keeps.
Job addressed(JobBuilder job, const Indexing& indexing, const numpy::Selection& selection);

/// The argument `key`; its errors in JAX's words.
Result<numpy::KeyArgument> read_key(Arguments& a);

/// A status of the numpy dialect as JAX's: its rule and class.
Status as_jax(Status status);

}  // namespace garner::jax
