// The subcommands.
#pragma once
#include <string>

#include "cli/common.h"

namespace garner::cli {

int tour(bool plans, bool json);
int info(bool json);

struct CallRequest {
  CallText call;
  std::string out;                    // a file for the results; empty: they are printed
  bool json = false;
  int threads = 0;
  std::string kernel;
};
int call(const CallRequest& request);

}  // namespace garner::cli
