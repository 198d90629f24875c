#include "cli/common.h"

#include <CLI/CLI.hpp>

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include "base/fail.h"
#include "dtype/convert.h"
#include "garner/format.h"

namespace garner::cli {
namespace {

bool is_terminal(std::FILE* stream) {
  const char* kind = std::getenv("TERM");
  return ::isatty(::fileno(stream)) != 0 && (kind == nullptr || std::string_view(kind) != "dumb");
}

std::string one_line(std::string text) {
  std::ranges::replace_if(text, [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return text;
}

void complain(const std::string& text) {
  fmt::print(stderr, "{} {}\n", coloured(stderr, "31", "garner:"), one_line(text));
}

/// Files that cannot be read, are not what they should be, or hold no table.
bool is_of_a_file(const Status& status) {
  const std::string& rule = status.rule;
  const bool named = rule.size() > 1 && rule[0] == 'F' && rule[1] >= '0' && rule[1] <= '9';
  return named || rule == "TB4" || rule == "TB5" || status.code == Code::kSystem;
}

template <class T>
nlohmann::ordered_json number_json(T value) {
  const auto number = to_compute(value);
  if constexpr (std::is_floating_point_v<decltype(number)>) {
    if (std::isnan(number)) return "nan";
    if (std::isinf(number)) return number < 0 ? "-inf" : "inf";
  }
  return number;
}

template <class T>
nlohmann::ordered_json element_json(T value) {
  if constexpr (std::is_same_v<T, Bool>) return static_cast<bool>(value);
  else if constexpr (is_complex_v<T>) return {number_json(value.real()), number_json(value.imag())};
  else return number_json(value);
}

std::vector<format::NamedView> named(const std::vector<Tensor>& results) {
  std::vector<format::NamedView> out;
  for (std::size_t i = 0; i < results.size(); ++i) out.push_back({fmt::format("arr_{}", i), results[i]});
  return out;
}

Status save_npy(const std::string& path, const std::vector<Tensor>& results) {
  const std::vector<std::string> paths = files_for(path, results.size());
  std::vector<format::NpyWriter> writers;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const Tensor& t = results[i];
    GARNER_ASSIGN(auto writer, format::NpyWriter::create(paths[i], t.dtype(), t.shape()));
    if (t.bytes() > 0) std::memcpy(writer.view().mutable_data(), t.data(), static_cast<std::size_t>(t.bytes()));
    writers.push_back(std::move(writer));
  }
  for (auto& writer : writers) GARNER_TRY(writer.commit());
  return {};
}

}  // namespace

// ---- errors and colours ----

int exit_of(const Status& status) {
  if (is_of_a_file(status)) return kFile;
  return status.rule == "A4" ? kUsage : kRefused;
}

int report(const Status& status) {
  complain(fmt::format("{} [{}]", status.message, status.rule));
  return exit_of(status);
}

int report_usage(const std::string& message) {
  complain(message);
  return kUsage;
}

bool has_colours(std::FILE* stream) {
  const char* none = std::getenv("NO_COLOR");
  return is_terminal(stream) && (none == nullptr || *none == '\0');
}

std::string coloured(std::FILE* stream, const char* colour, const std::string& text) {
  return has_colours(stream) ? fmt::format("\x1b[{}m{}\x1b[0m", colour, text) : text;
}

// ---- names ----

namespace {

/// Later ones may use earlier ones.
Result<Environment> bind_names(const std::vector<std::string>& bindings, Files& files) {
  Environment names;
  for (const std::string& binding : bindings) {
    const std::size_t at = binding.find('=');
    if (at == std::string::npos || at == 0)
      return fail(Code::kInvalidArgument, "A4", "call: '{}' is not name=value", binding.substr(0, 200));
    GARNER_ASSIGN(Value value, parse_value(std::string_view(binding).substr(at + 1), names, &files));
    names[binding.substr(0, at)] = std::move(value);
  }
  return names;
}

}  // namespace

void add_call_text(CLI::App& command, CallText& call) {
  command.add_option("CALL", call.text, "dialect.op(arguments), as in garner info")->required();
  command.add_option("NAME=VALUE", call.bindings, "names the call uses");
}

Result<Call> read_call(const CallText& call, Files& files) {
  GARNER_ASSIGN(const Environment names, bind_names(call.bindings, files));
  return parse_call(call.text, names, &files);
}

// ---- results ----

std::string type_text(const View& view) { return fmt::format("{} {}", name(view.dtype()), list(view.shape())); }

nlohmann::ordered_json values_json(const View& view) {
  if (view.rank() == 0)
    return dispatch(view.dtype(), [&]<class T>() { return element_json(*static_cast<const T*>(view.data())); });
  auto out = nlohmann::ordered_json::array();
  for (Index i = 0; i < view.extent(0); ++i) out.push_back(values_json(slice_at(view, 0, i)));
  return out;
}

nlohmann::ordered_json type_json(const View& view) { return {{"dtype", name(view.dtype())}, {"shape", view.shape()}}; }

bool is_savable(const std::string& path) {
  return path.ends_with(".npy") || path.ends_with(".npz") || path.ends_with(".safetensors");
}

std::vector<std::string> files_for(const std::string& path, std::size_t results) {
  if (results == 1 || !path.ends_with(".npy")) return std::vector<std::string>(results, path);
  std::vector<std::string> out;
  for (std::size_t i = 0; i < results; ++i) out.push_back(fmt::format("{}_{}.npy", path.substr(0, path.size() - 4), i));
  return out;
}

Status save(const std::string& path, const std::vector<Tensor>& results) {
  if (path.ends_with(".npz")) return format::write_npz(path, named(results));
  if (path.ends_with(".safetensors")) return format::write_safetensors(path, named(results));
  return save_npy(path, results);
}

// ---- progress ----

namespace {

/// What is no number of seconds is not heeded: a bar is no reason to stop.
std::chrono::duration<double> seconds_before_a_bar() {
  const char* wanted = std::getenv("GARNER_PROGRESS");
  double seconds = 0.5;
  if (wanted != nullptr) std::from_chars(wanted, wanted + std::strlen(wanted), seconds);
  return std::chrono::duration<double>(seconds);
}

}  // namespace

Progress::Progress(double bytes)
    : bytes_(std::max(bytes, 1.0)), wanted_(is_terminal(stderr)), after_(seconds_before_a_bar()) {}

Progress::~Progress() {
  if (drawn_) fmt::print(stderr, "\r\x1b[K");
}

void Progress::advance(double bytes) {
  done_ += bytes;
  const auto now = Clock::now();
  const bool due = drawn_ ? now - last_ > std::chrono::milliseconds(100) : now - start_ >= after_;
  if (wanted_ && due) draw(now);
}

void Progress::draw(Clock::time_point now) {
  constexpr int kWide = 30;
  const double share = std::min(done_ / bytes_, 1.0), seconds = std::chrono::duration<double>(now - start_).count();
  const auto full = static_cast<std::size_t>(share * kWide);
  fmt::print(stderr, "\r{:3.0f}% [{:<30}] {:.2f} GB/s, {:.0f} s left\x1b[K", share * 100, std::string(full, '#'),
             done_ / seconds / 1e9, seconds / share * (1 - share));
  std::fflush(stderr);
  last_ = now;
  drawn_ = true;
}

}  // namespace garner::cli
