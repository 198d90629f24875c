// garner explain and garner draw: what they are asked.
#pragma once
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace garner::cli {

struct ExplainRequest {
  std::string text;                   // dialect.op(…)
  std::vector<std::string> bindings;  // name=value
  bool json = false;
};
CLI::App* add_explain(CLI::App& app, ExplainRequest& request);
int explain(const ExplainRequest& request);

struct DrawRequest {
  std::string text;
  std::vector<std::string> bindings;
  std::string out;  // an .svg; empty: the terminal
  bool json = false;
};
CLI::App* add_draw(CLI::App& app, DrawRequest& request);
int draw(const DrawRequest& request);

}  // namespace garner::cli
