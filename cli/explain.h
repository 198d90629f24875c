// garner explain and garner draw: what they are asked.
#pragma once
#include <string>

#include "cli/common.h"

namespace garner::cli {

struct ExplainRequest {
  CallText call;
  bool json = false;
};
CLI::App* add_explain(CLI::App& app, ExplainRequest& request);
int explain(const ExplainRequest& request);

struct DrawRequest {
  CallText call;
  std::string out;  // an .svg; empty: the terminal
  bool json = false;
};
CLI::App* add_draw(CLI::App& app, DrawRequest& request);
int draw(const DrawRequest& request);

}  // namespace garner::cli
