#include "conformance/case_file.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/fail.h"

namespace garner::conformance {
namespace {

struct Line {
  int number;
  std::string text;
};

std::string trim(const std::string& text) {
  const auto first = text.find_first_not_of(" \t\r"), last = text.find_last_not_of(" \t\r");
  return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

Index depth_of(const std::string& text) {
  const auto count = [&](const char* marks) {
    return std::ranges::count_if(text,
                                 [&](char c) { return std::string_view(marks).find(c) != std::string_view::npos; });
  };
  return count("([{") - count(")]}");
}

/// Lines without comments and blanks around them; one that leaves a bracket open goes on in the next.
std::vector<Line> logical_lines(const std::string& path) {
  std::ifstream in(path);
  std::vector<Line> lines;
  std::string raw;
  bool open = false;
  for (int number = 1; std::getline(in, raw); ++number) {
    const std::string text = trim(raw);
    if (text.starts_with('#')) continue;
    if (open) lines.back().text += " " + text;
    else lines.push_back({number, text});
    // Bounds print as [0,3): a plan's lines are whole by themselves.
    open = !lines.back().text.starts_with('|') && depth_of(lines.back().text) > 0;
  }
  return lines;
}

std::vector<std::string> words(const std::string& text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), {}};
}

/// "name = value", but not a call with key=value inside.
std::optional<std::pair<std::string, std::string>> as_binding(const std::string& text) {
  const auto equals = text.find('=');
  const std::string left = equals == std::string::npos ? "" : trim(text.substr(0, equals));
  const bool is_name = !left.empty() && std::ranges::all_of(left, [](char c) { return std::isalnum(c) || c == '_'; });
  if (!is_name) return std::nullopt;
  return std::pair{left, trim(text.substr(equals + 1))};
}

class FileReader {
 public:
  explicit FileReader(std::string path) : path_(std::move(path)) {}

  Result<std::vector<Case>> read() {
    for (const Line& line : logical_lines(path_)) {
      const Status status = take(line);
      if (!status.ok()) return fail(Code::kInvalidArgument, "A4", "{}:{}: {}", path_, line.number, status.message);
    }
    return std::move(cases_);
  }

 private:
  Status take(const Line& line) {
    const std::string& text = line.text;
    if (text.empty() || text == "plan") return {};
    if (text.starts_with("case ")) return begin(line);
    if (cases_.empty()) return fail(Code::kInvalidArgument, "A4", "'{}' stands before the first case", text);
    Case& current = cases_.back();
    if (text.starts_with('|')) {
      current.plan += text.substr(text.size() > 1 ? 2 : 1) + "\n";
      return {};
    }
    if (text.starts_with("vjp ")) return expect_gradients(current, text.substr(4));
    if (text.starts_with("->")) return expect(current, trim(text.substr(2)));
    if (const auto binding = as_binding(text)) return bind_name(current, *binding);
    current.call = text;
    return {};
  }

  Status begin(const Line& line) {
    const auto colon = line.text.find(':');
    if (colon == std::string::npos) return fail(Code::kInvalidArgument, "A4", "a case needs ': ITEM …'");
    cases_.push_back({.file = path_,
                      .name = trim(line.text.substr(5, colon - 5)),
                      .line = line.number,
                      .items = words(line.text.substr(colon + 1)),
                      .names = {},
                      .call = {},
                      .plan = {},
                      .results = {},
                      .cotangents = {},
                      .gradients = {},
                      .error = {}});
    return {};
  }

  static Status bind_name(Case& current, const std::pair<std::string, std::string>& binding) {
    GARNER_ASSIGN(current.names[binding.first], parse_value(binding.second, current.names));
    return {};
  }

  /// "[COTANGENT …] -> [GRADIENT …]"
  static Status expect_gradients(Case& current, const std::string& text) {
    const auto arrow = text.find("->");
    if (arrow == std::string::npos)
      return fail(Code::kInvalidArgument, "A4", "gradients are 'vjp [COTANGENT, …] -> [GRADIENT, …]'");
    GARNER_ASSIGN(current.cotangents, parse_value(trim(text.substr(0, arrow)), current.names));
    GARNER_ASSIGN(current.gradients, parse_value(trim(text.substr(arrow + 2)), current.names));
    return {};
  }

  static Status expect(Case& current, const std::string& text) {
    const auto parts = words(text);
    if (!parts.empty() && parts[0] == "error") {
      if (parts.size() != 3) return fail(Code::kInvalidArgument, "A4", "an error is 'error RULE CODE'");
      current.error = {parts[1], parts[2]};
      return {};
    }
    GARNER_ASSIGN(Value value, parse_value(text, current.names));
    current.results.push_back(std::move(value));
    return {};
  }

  std::string path_;
  std::vector<Case> cases_;
};

std::vector<std::string> case_files() {
  std::vector<std::string> paths;
  // Where the tests run on another machine than the one that built them, the sources lie elsewhere.
  const char* elsewhere = std::getenv("GARNER_SOURCE_DIR");
  const std::filesystem::path sources = elsewhere != nullptr ? elsewhere : GARNER_SOURCE_DIR;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(sources / "conformance/cases"))
    if (entry.path().extension() == ".case") paths.push_back(entry.path().string());
  std::ranges::sort(paths);
  return paths;
}

}  // namespace

std::vector<Case> all_cases() {
  std::vector<Case> all;
  for (const std::string& path : case_files()) {
    auto cases = FileReader(path).read();
    if (cases.ok()) {
      all.insert(all.end(), cases->begin(), cases->end());
      continue;
    }
    Case broken;
    broken.file = path;
    broken.name = "unreadable";
    broken.call = cases.status().message;
    all.push_back(std::move(broken));
  }
  return all;
}

}  // namespace garner::conformance
