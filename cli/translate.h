// garner translate: the same call in another library's words.
#pragma once
#include <string>

#include "cli/common.h"

namespace garner::cli {

struct TranslateRequest {
  CallText call;
  std::string to;                     // a target, several with commas, or all
  std::string out;                    // a file for the source, or an .onnx; empty: it is printed
  bool json = false;
  int samples = 0;                    // with json: so many random inputs and what the call gives for them
  unsigned seed = 1;
};
CLI::App* add_translate(CLI::App& app, TranslateRequest& request);
/// kRefused when a target cannot say the call; its reason and an input that would differ are the one line on stderr.
int translate(const TranslateRequest& request);

}  // namespace garner::cli
