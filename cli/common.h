// What the subcommands share: exit statuses, errors, names bound on the command line, printing and saving results.
#pragma once
#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "garner/call.h"

namespace CLI {
class App;
}

namespace garner::cli {

/// What the command leaves behind. docs/cli.md.
enum Exit : int {
  kDone = 0,
  kRefused = 1,  // the call or the work: a bad argument, an index out of range
  kUsage = 2,    // the command line, or a text that is no call
  kFile = 3,     // a file that cannot be read or written
};

/// The exit status that belongs to an error, and the same after one line on stderr, with the rule.
int exit_of(const Status& status);
int report(const Status& status);
int report_usage(const std::string& message);

/// Is it a terminal that wants colours (NO_COLOR, TERM=dumb)?
bool has_colours(std::FILE* stream);
/// The text in an SGR colour ("31"), where there are any.
std::string coloured(std::FILE* stream, const char* colour, const std::string& text);

/// A call on the command line, and the names it uses.
struct CallText {
  std::string text;                   // dialect.op(…)
  std::vector<std::string>
      bindings;  // name=value, where value is what an argument may be; later ones may use earlier ones
};
void add_call_text(CLI::App& command, CallText& call);
/// Rule A4, and those of files. `files` keep what the call looks at.
Result<Call> read_call(const CallText& call, Files& files);

/// "f32 [2,3]"
std::string type_text(const View& view);
/// Nested lists; complex numbers as [re, im], and "nan", "inf", "-inf", for which JSON has no numbers.
nlohmann::ordered_json values_json(const View& view);
nlohmann::ordered_json type_json(const View& view);

/// Can results be saved under this name (.npy, .npz, .safetensors)?
bool is_savable(const std::string& path);
/// Where each of several results goes: out.npy is out_0.npy, out_1.npy, … when there are more than one.
std::vector<std::string> files_for(const std::string& path, std::size_t results);
/// All or nothing but for the last renames; .npz and .safetensors name them arr_0, arr_1, … as NumPy does. Rules F9,
/// F10.
Status save(const std::string& path, const std::vector<Tensor>& results);

/// A bar with rate on stderr, on a terminal, once the work has taken half a second, or as many as GARNER_PROGRESS says.
class Progress {
 public:
  explicit Progress(double bytes);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();
  void advance(double bytes);

 private:
  using Clock = std::chrono::steady_clock;
  void draw(Clock::time_point now);

  double bytes_, done_ = 0;
  bool wanted_, drawn_ = false;
  std::chrono::duration<double> after_;
  Clock::time_point start_ = Clock::now(), last_ = start_;
};

}  // namespace garner::cli
