#include "dialect/anvil/subset.h"

#include "base/checked_math.h"
#include "base/fail.h"

namespace garner::anvil {
namespace {

template <class... F> struct Overloaded : F... {
  using F::operator()...;
};
template <class... F> Overloaded(F...) -> Overloaded<F...>;

/// The dimension a spec is for, as messages need it; `axis` counts from 0.
struct Dimension {
  const char* op;
  Index axis, extent;
};

// ---- rules about one spec ----

Status check_position(const Dimension& d, Index position, const char* rule) {
  if (position >= 1 && position <= d.extent) return {};
  return fail(Code::kIndex, rule, "{}: index is {}, allowed [1, {}] on axis {}", d.op, position, d.extent, d.axis + 1);
}

Status check(const Dimension&, const Full&) { return {}; }

Status check(const Dimension& d, const Range& range) {
  GARNER_TRY(check_position(d, range.first, "AS3"));
  GARNER_TRY(check_position(d, range.last, "AS3"));
  if (range.first <= range.last) return {};
  return fail(Code::kIndex, "AS3", "{}: range is {}:{}, allowed ascending order on axis {}", d.op, range.first,
              range.last, d.axis + 1);
}

Status check(const Dimension& d, Index position) { return check_position(d, position, "AS4"); }

Status check(const Dimension& d, const Each& each) {
  for (const Index position : each.positions) GARNER_TRY(check_position(d, position, "AS4"));
  return {};
}

Status check(const Dimension& d, const View& index) {
  if (index.dtype() == DType::kBool)
    return fail(Code::kUnsupported, "AS11",
                "{}: index is bool, allowed an integer dtype (masks are not offered) on axis {}", d.op, d.axis + 1);
  if (!is_integer(index.dtype()))
    return fail(Code::kType, "AS6", "{}: index is {}, allowed an integer dtype on axis {}", d.op, name(index.dtype()),
                d.axis + 1);
  if (index.rank() > 1)
    return fail(Code::kInvalidArgument, "AS5", "{}: index has rank {}, allowed 0 or 1 on axis {}", d.op, index.rank(),
                d.axis + 1);
  return {};
}

/// A list known beforehand is an index tensor like any other once its values are checked.
SubsetSpec as_view(const Each& each, std::vector<Tensor>& kept) {
  kept.push_back(detail::copy_literal(DType::kI64, {static_cast<Index>(each.positions.size())}, each.positions.data()));
  return View(kept.back());
}

// ---- what a spec selects ----

/// The extent that stays of a dimension, if it does.
std::optional<Index> kept_extent(const SubsetSpec& spec, Index extent) {
  return std::visit(Overloaded{
                        [&](const Full&) -> std::optional<Index> { return extent; },
                        [](const Range& r) -> std::optional<Index> { return r.last - r.first + 1; },
                        [](Index) -> std::optional<Index> { return std::nullopt; },
                        [](const Each& e) -> std::optional<Index> { return static_cast<Index>(e.positions.size()); },
                        [](const View& v) { return v.rank() == 0 ? std::nullopt : std::optional(v.extent(0)); },
                    },
                    spec);
}

/// Reading clamps the value, which counts from 1. Writing drops by position, which counts from 0.
Bounds bounds_of(Index extent, OutOfRange policy) {
  if (policy == OutOfRange::kDrop) return {.lo = 0, .hi = extent, .policy = policy, .scope = Scope::kPosition};
  return {.lo = 1, .hi = checked_add(extent, 1).value_or(extent), .policy = policy};
}

/// Where dimension d goes; `next` is the domain axis that a dimension which stays runs along.
struct Addresser {
  JobBuilder& job;
  Index d, next, extent;
  OutOfRange policy;

  void operator()(const Full&) const { job.follow(d, next); }
  void operator()(const Range& range) const { job.follow(d, next).shift(d, range.first - 1); }
  void operator()(Index position) const { job.shift(d, position - 1); }
  void operator()(const Each&) const {}  // resolve() leaves none
  void operator()(const View& index) const {
    const Axes axes = index.rank() == 0 ? Axes{} : Axes{next};
    job.look_up(d, job.term(index, axes, bounds_of(extent, policy), "index", "AS4")).shift(d, -1);
  }
};

// ---- text form ----

Result<SubsetSpec> read_range(const std::string& op, const Values& ends) {
  if (ends.size() == 2 && std::holds_alternative<Index>(ends[0].held) && std::holds_alternative<Index>(ends[1].held))
    return SubsetSpec(Range{std::get<Index>(ends[0].held), std::get<Index>(ends[1].held)});
  return fail(Code::kInvalidArgument, "AS1", "{}: index is a list of {}, allowed two integers (a range) or a tensor",
              op, ends.size());
}

}  // namespace

Result<Subset> resolve(const char* op, const View& operand, std::vector<SubsetSpec> specs) {
  if (static_cast<Index>(specs.size()) > operand.rank())
    return fail(Code::kInvalidArgument, "AS2", "{}: specs has {} entries, allowed [0, {}]", op, specs.size(),
                operand.rank());
  specs.resize(operand.shape().size(), Full{});
  Subset out{op, operand.shape(), std::move(specs), {}};
  for (Index d = 0; d < operand.rank(); ++d) {
    SubsetSpec& spec = out.specs[static_cast<std::size_t>(d)];
    const Dimension dimension{op, d, operand.extent(d)};
    GARNER_TRY(std::visit([&](const auto& s) { return check(dimension, s); }, spec));
    if (const Each* each = std::get_if<Each>(&spec)) spec = as_view(Each(*each), out.kept);
  }
  return out;
}

Axes shape_of(const Subset& subset) {
  Axes out;
  for (std::size_t d = 0; d < subset.specs.size(); ++d)
    if (const auto extent = kept_extent(subset.specs[d], subset.extents[d])) out.push_back(*extent);
  return out;
}

void address(JobBuilder& job, const Subset& subset, OutOfRange policy) {
  Index next = 0;
  for (std::size_t d = 0; d < subset.specs.size(); ++d) {
    const Index extent = subset.extents[d];
    std::visit(Addresser{job, static_cast<Index>(d), next, extent, policy}, subset.specs[d]);
    if (kept_extent(subset.specs[d], extent)) ++next;
  }
}

Result<SubsetSpec> read_spec(const std::string& op, const Value& spec) {
  if (spec.is_none()) return SubsetSpec(Full{});
  if (const Index* position = std::get_if<Index>(&spec.held)) return SubsetSpec(*position);
  if (const auto index = spec.memory()) return SubsetSpec(*index);
  if (const auto* ends = std::get_if<std::shared_ptr<Values>>(&spec.held)) return read_range(op, **ends);
  return fail(Code::kType, "AS6", "{}: index is no position, allowed None, an integer, [first, last] or a tensor", op);
}

Result<std::vector<SubsetSpec>> read_specs(const std::string& op, const Value& specs) {
  const auto* entries = std::get_if<std::shared_ptr<Values>>(&specs.held);
  if (entries == nullptr) return fail(Code::kType, "A3", "{}: specs is no list, allowed one entry per dimension", op);
  std::vector<SubsetSpec> out;
  for (const Value& entry : **entries) {
    GARNER_ASSIGN(SubsetSpec spec, read_spec(op, entry));
    out.push_back(std::move(spec));
  }
  return out;
}

}  // namespace garner::anvil
