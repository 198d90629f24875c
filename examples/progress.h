// A bar with the rate on a terminal, nothing elsewhere; and the one option the examples share.
#pragma once
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

class Progress {
 public:
  Progress(const char* unit, double total) : unit_(unit), total_(total) {}
  ~Progress() {
    if (terminal_) std::fputs("\r\033[K", stderr);
  }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// `done` of the total; drawn ten times a second at most.
  void show(double done, double loss) {
    const auto now = Clock::now();
    if (!terminal_ || now - drawn_ < std::chrono::milliseconds(100)) return;
    drawn_ = now;
    const double rate = done / std::chrono::duration<double>(now - begun_).count();
    const int filled = static_cast<int>(30 * done / total_);
    std::fprintf(stderr, "\r[%s%s] %3.0f %%  %.0f %s/s  loss %.3f\033[K", std::string(filled, '#').c_str(),
                 std::string(30 - filled, '.').c_str(), 100 * done / total_, rate, unit_, loss);
  }

 private:
  using Clock = std::chrono::steady_clock;
  const char* unit_;
  double total_;
  bool terminal_ = isatty(fileno(stderr)) != 0;
  Clock::time_point begun_ = Clock::now(), drawn_ = begun_;
};

struct Arguments {
  int epochs;
  std::string file;  // empty: none given
};

/// [--epochs N] [file]; exits with the usage line when it is something else.
inline Arguments parse(int argc, char** argv, int epochs, bool takes_file) {
  Arguments out{epochs, ""};
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--epochs" && i + 1 < argc && std::atoi(argv[i + 1]) > 0) out.epochs = std::atoi(argv[++i]);
    else if (takes_file && out.file.empty() && word[0] != '-') out.file = word;
    else {
      std::fprintf(stderr, "usage: %s [--epochs N]%s\n", argv[0], takes_file ? " [text file]" : "");
      std::exit(2);
    }
  }
  return out;
}
