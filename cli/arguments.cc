#include "cli/arguments.h"

#include <algorithm>

#include "base/fail.h"

namespace garner::cli {
namespace {

struct Given {
  std::string_view name, text;  // no name: by position
};

/// name=value; a '=' inside a file's name or a literal separates nothing.
Given split(std::string_view argument) {
  const std::size_t at = argument.find('=');
  if (at == std::string_view::npos || argument.substr(0, at).find_first_of("@[({\"") != std::string_view::npos)
    return {{}, argument};
  return {argument.substr(0, at), argument.substr(at + 1)};
}

/// The text with the dtype in front, where it has none of its own: [1, 2] and @x.npy, 7.
std::string typed(std::string_view text, DType dtype) {
  const bool takes_it_in_front = text.starts_with('[') || text.starts_with('@');
  return fmt::format(fmt::runtime(takes_it_in_front ? "{}{}" : "{}({})"), name(dtype), text);
}

/// What is an array already stays as it is, so that a wrong dtype is the program's to refuse.
Result<Value> read(std::string_view text, DType dtype, Files& files) {
  auto value = parse_value(text, {}, &files);
  if (value.ok() && value->memory()) return value;
  if (!value.ok() && value.status().rule != "F5") return value;
  GARNER_ASSIGN(Value array, parse_value(typed(text, dtype), {}, &files));
  if (array.memory()) return array;
  return fail(Code::kInvalidArgument, "A4", "run: '{}' is no array", text.substr(0, 200));
}

template <class... Args>
Status refuse(fmt::format_string<Args...> text, Args&&... args) {
  return fail(Code::kInvalidArgument, "R1", "run: {}", fmt::format(text, std::forward<Args>(args)...));
}

class Reader {
 public:
  Reader(const std::vector<Expected>& expected, Files& files)
      : expected_(expected), files_(files), values_(expected.size()) {}

  Status take(const std::vector<Given>& all) {
    std::vector<std::string_view> by_position;
    for (const Given& one : all) {
      if (one.name.data() == nullptr) {
        by_position.push_back(one.text);
      } else {
        GARNER_TRY(take_name(one));
      }
    }
    return take_positions(by_position);
  }

  Result<std::vector<std::optional<Value>>> finish() && {
    for (std::size_t i = 0; i < expected_.size(); ++i)
      if (!values_[i] && !expected_[i].optional) return refuse("argument {} is missing", shown(i));
    return std::move(values_);
  }

 private:
  std::string shown(std::size_t i) const {
    return expected_[i].name.empty() ? fmt::format("{}", i) : fmt::format("{} ({})", i, expected_[i].name);
  }

  Status put(std::size_t i, std::string_view text) {
    if (values_[i]) return refuse("argument {} is given twice", shown(i));
    GARNER_ASSIGN(values_[i], read(text, expected_[i].dtype, files_));
    return {};
  }

  Status take_name(const Given& one) {
    const auto at = std::ranges::find(expected_, one.name, &Expected::name);
    if (at != expected_.end() && !one.name.empty())
      return put(static_cast<std::size_t>(at - expected_.begin()), one.text);
    std::vector<std::string> names;
    for (const Expected& e : expected_) names.push_back(e.name);
    return refuse("argument is '{}', allowed {}", one.name.substr(0, 200), fmt::join(names, " "));
  }

  /// The places that positions speak of.
  std::vector<std::size_t> places(std::size_t given) const {
    std::vector<std::size_t> all, needed;
    for (std::size_t i = 0; i < expected_.size(); ++i) {
      if (values_[i]) continue;
      all.push_back(i);
      if (!expected_[i].optional) needed.push_back(i);
    }
    return given == needed.size() ? needed : all;
  }

  Status take_positions(const std::vector<std::string_view>& texts) {
    const std::vector<std::size_t> to = places(texts.size());
    if (texts.size() > to.size()) return refuse("{} arguments by position, allowed {}", texts.size(), to.size());
    for (std::size_t i = 0; i < texts.size(); ++i) GARNER_TRY(put(to[i], texts[i]));
    return {};
  }

  const std::vector<Expected>& expected_;
  Files& files_;
  std::vector<std::optional<Value>> values_;
};

}  // namespace

Result<std::vector<std::optional<Value>>> read_arguments(const std::vector<std::string>& texts,
                                                         const std::vector<Expected>& expected, Files& files) {
  std::vector<Given> all;
  for (const std::string& text : texts) all.push_back(split(text));
  Reader reader(expected, files);
  GARNER_TRY(reader.take(all));
  return std::move(reader).finish();
}

}  // namespace garner::cli
