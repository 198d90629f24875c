#include "dialect/cutile/arguments.h"

#include "base/fail.h"

namespace garner::cutile {
namespace {

template <class E>
struct Named {
  const char* text;
  E value;
};
// The first of each is a word of the source that no atomic takes; lowering refuses it by name.
constexpr Named<MemoryOrder> kOrders[] = {{"WEAK", MemoryOrder::kWeak},
                                          {"RELAXED", MemoryOrder::kRelaxed},
                                          {"ACQUIRE", MemoryOrder::kAcquire},
                                          {"RELEASE", MemoryOrder::kRelease},
                                          {"ACQ_REL", MemoryOrder::kAcqRel}};
constexpr Named<MemoryScope> kScopes[] = {{"NONE", MemoryScope::kNone},
                                          {"BLOCK", MemoryScope::kBlock},
                                          {"DEVICE", MemoryScope::kDevice},
                                          {"SYS", MemoryScope::kSys}};

template <class E>
std::string allowed(std::span<const Named<E>> names) {
  std::vector<std::string> texts;
  for (const Named<E>& n : names.subspan(1)) texts.emplace_back(n.text);
  return fmt::format("{}", fmt::join(texts, " "));
}

template <class E>
Result<E> enumerator(const Arguments& args, const char* parameter, std::span<const Named<E>> names, const char* rule) {
  const Word* word = std::get_if<Word>(&args.value(parameter).held);
  for (const Named<E>& n : names)
    if (word != nullptr && word->text == n.text) return n.value;
  return fail(Code::kType, rule, "{}: {} is {}, allowed {}", args.op(), parameter, word ? word->text : "not a word",
              allowed(names));
}

}  // namespace

Indices indices_argument(Arguments& args) { return args.tensors("indices"); }

TileOrConstant value_argument(Arguments& args, const std::string& name) {
  const auto& held = args.value(name).held;
  if (const auto* v = std::get_if<bool>(&held)) return *v;
  if (const auto* v = std::get_if<Index>(&held)) return *v;
  if (const auto* v = std::get_if<double>(&held)) return *v;
  return args.tensor(name);
}

Result<bool> check_bounds_argument(const Arguments& args) {
  if (const auto* given = std::get_if<bool>(&args.value("check_bounds").held)) return *given;
  return fail(Code::kType, "CT18", "{}: check_bounds is not a bool, allowed True or False", args.op());
}

Result<std::optional<Index>> latency_argument(const Arguments& args) {
  const Value& given = args.value("latency");
  if (given.is_none()) return std::optional<Index>();
  if (const auto* cycles = std::get_if<Index>(&given.held)) return std::optional(*cycles);
  return fail(Code::kInvalidArgument, "CT19", "{}: latency is not an integer, allowed None or [1, 10]", args.op());
}

Result<AtomicOptions> atomic_options(const Arguments& args) {
  AtomicOptions options;
  GARNER_ASSIGN(options.check_bounds, check_bounds_argument(args));
  GARNER_ASSIGN(options.memory_order, enumerator<MemoryOrder>(args, "memory_order", kOrders, "CTA5"));
  GARNER_ASSIGN(options.memory_scope, enumerator<MemoryScope>(args, "memory_scope", kScopes, "CTA6"));
  return options;
}

}  // namespace garner::cutile
