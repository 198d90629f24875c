// garner run: what the command line says.
#pragma once
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace garner::cli {

struct RunRequest {
  std::string file;                    // .mlir or .onnx
  std::vector<std::string> arguments;  // value, or name=value
  std::string out;                     // a file for the results; empty: they are printed
  std::string function;                // of an .mlir; empty: main, or the only public one
  std::string windows = "auto";        // auto, element, whole
  bool json = false;
  int threads = 0;
  std::string kernel;
};

CLI::App* add_run(CLI::App& app, RunRequest& request);
int run(const RunRequest& request);

}  // namespace garner::cli
