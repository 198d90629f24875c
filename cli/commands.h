// The subcommands.
#pragma once
#include <string>
#include <vector>

namespace garner::cli {

int tour(bool plans, bool json);
int info(bool json);

struct CallRequest {
  std::string text;                   // dialect.op(…)
  std::vector<std::string> bindings;  // name=value
  std::string out;                    // a file for the results; empty: they are printed
  bool json = false;
  int threads = 0;
  std::string kernel;
};
int call(const CallRequest& request);

}  // namespace garner::cli
