// For the tests of row gradients and optimisers.
#pragma once
#include "grad/row_check.h"
#include "index/test_views.h"

namespace garner {

/// body<T>(random) for every dtype a table may have, `rounds` times.
template <class Body>
void for_each_table_dtype(int rounds, Body&& body) {
  for (const DTypeInfo& d : kDTypes)
    dispatch(d.dtype, [&]<class T>() {
      if constexpr (is_table_v<T>)
        for (int round = 0; round < rounds; ++round) {
          SCOPED_TRACE(testing::Message() << d.name << " round " << round);
          index::Random random(static_cast<unsigned>(round));
          body.template operator()<T>(random);
        }
    });
}

inline std::string error_of(const Status& status) { return status.rule + " " + status.message; }

}  // namespace garner
