#include "mlir/read_function.h"

#include <unordered_map>

#include "mlir/literal.h"
#include "mlir/op.h"

namespace garner::mlir {
namespace {

/// %0:2 takes two slots behind one another.
struct Definition {
  Slot first = 0;
  std::size_t count = 1;
};

/// The names a function has defined so far; a region's are forgotten when it ends.
class Scopes {
 public:
  void open() { scopes_.emplace_back(); }
  void close() { scopes_.pop_back(); }
  Slot slots() const { return slots_; }

  Slot define(std::string_view name, std::size_t count = 1) {
    scopes_.back().insert_or_assign(std::string(name), Definition{slots_, count});
    slots_ += count;
    return slots_ - count;
  }

  const Definition* find(std::string_view name) const {
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope)
      if (const auto at = scope->find(std::string(name)); at != scope->end()) return &at->second;
    return nullptr;
  }

 private:
  std::vector<std::unordered_map<std::string, Definition>> scopes_;
  Slot slots_ = 0;
};

/// More results than this is a lie: %0:4000000000.
constexpr Index kMaxResults = 1 << 16;

Result<std::size_t> read_count(const Node& node) {
  const auto count = read_integer(node.string_view());
  if (!count || *count > kMaxResults)
    return fail_at(place_of(node), "M1", "a number of values is {}, allowed [0, {}]", node.string_view(), kMaxResults);
  return static_cast<std::size_t>(*count);
}

/// What the parts of an operation in its short form say, before it is known what they mean.
struct Parts {
  std::vector<const Node*> uses, bindings;
  const Node *dense = nullptr, *signature = nullptr, *applied = nullptr, *reducer = nullptr;
  std::vector<const Node*> regions;
  bool has_inits = false;
};

class FunctionReader {
 public:
  explicit FunctionReader(const Aliases& aliases) : aliases_(aliases) {}

  Result<Region> read_body(const Node& region, const std::vector<Argument>& arguments) {
    Region out;
    scopes_.open();
    for (const Argument& argument : arguments) {
      out.arguments.push_back(scopes_.define(argument.name));
      out.types.push_back(argument.type);
    }
    GARNER_TRY(read_operations(region, out));
    scopes_.close();
    return out;
  }

  Slot slots() const { return scopes_.slots(); }

 private:
  // ---- regions ----

  Status read_operations(const Node& region, Region& out) {
    for (const auto& child : region.children) {
      if (child->is_type<grammar::block_label>()) {
        GARNER_TRY(read_label(*child, out));
        continue;
      }
      GARNER_ASSIGN(Operation op, read_operation(*child));
      out.operations.push_back(std::move(op));
    }
    if (!out.operations.empty() && std::string_view(out.operations.back().info->name) == "return") return {};
    return fail_at(place_of(region), "M1", "a region does not end with return");
  }

  Status read_label(const Node& label, Region& out) {
    if (!out.operations.empty()) return fail_at(place_of(label), "M2", "a region of several blocks is not offered");
    for (const auto& argument : label.children) GARNER_TRY(read_argument(*argument, out));
    return {};
  }

  Status read_argument(const Node& argument, Region& out) {
    GARNER_ASSIGN(TensorType type, read_type(*argument.children[1], aliases_.types));
    out.arguments.push_back(scopes_.define(argument.children[0]->string_view()));
    out.types.push_back(std::move(type));
    return {};
  }

  Status read_region(const Node& region, Region out, Operation& op) {
    GARNER_TRY(read_operations(region, out));
    op.regions.push_back(std::move(out));
    return {};
  }

  // ---- values ----

  Result<Slot> read_use(const Node& use) {
    const Node& name = *use.children[0];
    const Definition* found = scopes_.find(name.string_view());
    if (found == nullptr) return fail_at(place_of(use), "M4", "{} is not defined", name.string_view());
    std::size_t offset = 0;
    if (use.children.size() > 1) { GARNER_ASSIGN(offset, read_count(*use.children[1])); }
    if (offset >= found->count)
      return fail_at(place_of(use), "M4", "{} is not defined: it has {} values", use.string_view(), found->count);
    return found->first + offset;
  }

  Status read_uses(const std::vector<const Node*>& uses, Operation& op) {
    for (const Node* use : uses) {
      GARNER_ASSIGN(const Slot slot, read_use(*use));
      op.operands.push_back(slot);
    }
    return {};
  }

  /// After the operation itself, which cannot use its own results.
  Status define_results(const Node& definitions, Operation& op) {
    for (const auto& definition : definitions.children) {
      std::size_t count = 1;
      if (definition->children.size() > 1) { GARNER_ASSIGN(count, read_count(*definition->children[1])); }
      const Slot first = scopes_.define(definition->children[0]->string_view(), count);
      for (std::size_t i = 0; i < count; ++i) op.results.push_back(first + i);
    }
    return {};
  }

  static Result<std::size_t> count_results(const Node& definitions) {
    std::size_t sum = 0;
    for (const auto& definition : definitions.children) {
      std::size_t count = 1;
      if (definition->children.size() > 1) { GARNER_ASSIGN(count, read_count(*definition->children[1])); }
      sum += count;
    }
    return sum;
  }

  // ---- operations ----

  Result<Operation> read_operation(const Node& node) {
    const bool has_results = node.children[0]->is_type<grammar::definitions>();
    const Node& content = *node.children[has_results ? 1 : 0];
    Operation op;
    op.place = place_of(content);
    op.name = plain(*content.children[0]);
    op.info = find_op(op.name);
    if (op.info == nullptr) return fail_at(op.place, "M2", "{} is not offered", op.name);
    std::size_t results = 0;
    if (has_results) { GARNER_ASSIGN(results, count_results(*node.children[0])); }
    if (content.is_type<grammar::generic>()) GARNER_TRY(read_generic(content, op));
    else GARNER_TRY(read_custom(content, results, op));
    if (op.result_types.size() != results)
      return fail_at(op.place, "M1", "{} has {} results and the types of {}", op.name, results, op.result_types.size());
    if (has_results) GARNER_TRY(define_results(*node.children[0], op));
    return op;
  }

  Status read_generic(const Node& node, Operation& op) {
    for (const auto& child : node.children) {
      if (child->is_type<grammar::use>()) GARNER_TRY(read_uses({child.get()}, op));
      else if (child->is_type<grammar::dictionary>()) GARNER_TRY(read_entries(*child, aliases_, op.attributes));
      else if (child->is_type<grammar::region>()) GARNER_TRY(read_scoped_region(*child, {}, op));
      else if (child->is_type<grammar::function_type>()) {
        GARNER_ASSIGN(op.result_types, read_types(*child->children[1], aliases_.types));
      }
    }
    return {};
  }

  /// Arguments that stand outside the region, in front of it.
  struct Header {
    std::vector<std::string_view> names;
    std::vector<TensorType> types;
  };

  Status read_scoped_region(const Node& region, const Header& header, Operation& op) {
    scopes_.open();
    Region out;
    for (std::size_t i = 0; i < header.names.size(); ++i) {
      out.arguments.push_back(scopes_.define(header.names[i]));
      out.types.push_back(header.types[i]);
    }
    GARNER_TRY(read_region(region, std::move(out), op));
    scopes_.close();
    return {};
  }

  Status read_custom(const Node& node, std::size_t results, Operation& op) {
    Parts parts;
    for (std::size_t i = 1; i < node.children.size(); ++i) GARNER_TRY(read_part(*node.children[i], parts, op));
    GARNER_TRY(read_uses(parts.uses, op));
    if (parts.has_inits) separate_inits(op);
    if (parts.signature != nullptr) GARNER_TRY(read_signature(*parts.signature, parts, results, op));
    if (parts.applied != nullptr) GARNER_TRY(add_applied(*parts.applied, op));
    if (parts.reducer != nullptr) GARNER_TRY(read_reducer(*parts.reducer, op));
    for (const Node* region : parts.regions) GARNER_TRY(read_loop_region(*region, parts, op));
    return {};
  }

  Status read_part(const Node& part, Parts& parts, Operation& op) {
    if (part.is_type<grammar::use>()) parts.uses.push_back(&part);
    else if (part.is_type<grammar::binding>()) add_binding(part, parts);
    else if (part.is_type<grammar::keyed_part>()) return read_keyed(part, op);
    else if (part.is_type<grammar::dictionary>()) return read_entries(part, aliases_, op.attributes);
    else if (part.is_type<grammar::symbol>()) op.attributes["callee"] = {plain(part)};
    else if (part.is_type<grammar::quoted>()) op.attributes["name"] = {plain(part)};
    else if (part.is_type<grammar::word>()) op.words.push_back(part.string());
    else if (part.is_type<grammar::ranges>() || part.is_type<grammar::list>()) return read_ranges(part, op);
    else if (part.is_type<grammar::init>()) parts.has_inits = true;
    else if (part.is_type<grammar::dense>()) parts.dense = &part;
    else if (part.is_type<grammar::typed_dense>()) return read_typed_dense(part, op);
    else if (part.is_type<grammar::number>()) return read_tolerance(part, op);
    else if (part.is_type<grammar::applied>()) parts.applied = &part;
    else if (part.is_type<grammar::signature>()) parts.signature = part.children[0].get();
    else if (part.is_type<grammar::reducer>()) parts.reducer = &part;
    else if (part.is_type<grammar::named_region>()) parts.regions.push_back(part.children[0].get());
    return {};
  }

  Status read_typed_dense(const Node& part, Operation& op) {
    GARNER_ASSIGN(const TensorType type, read_type(*part.children[1], aliases_.types));
    return add_constant(*part.children[0], type, op);
  }

  /// A number alone is how near two values must be: IREE's check.expect_almost_eq(%a, %b, 0.1).
  Status read_tolerance(const Node& part, Operation& op) {
    GARNER_ASSIGN(Attribute value, read_attribute(part, aliases_));
    op.attributes.emplace("tolerance", std::move(value));
    return {};
  }

  static void add_binding(const Node& binding, Parts& parts) {
    parts.bindings.push_back(binding.children[0].get());
    parts.uses.push_back(binding.children[1].get());
  }

  Status read_keyed(const Node& part, Operation& op) {
    GARNER_ASSIGN(Attribute value, read_attribute(*part.children[1], aliases_));
    op.attributes.insert_or_assign(part.children[0]->string(), std::move(value));
    return {};
  }

  /// [start:limit:step, …]; a list without ranges is that of rank 0.
  static Status read_ranges(const Node& part, Operation& op) {
    std::vector<Attribute> starts, limits, steps;
    for (const auto& range : part.children) {
      std::vector<Index> ends;
      for (const auto& end : range->children) ends.push_back(read_integer(end->string_view()).value_or(-1));
      if (!range->is_type<grammar::range>() || ends.size() < 2 || ends.size() > 3)
        return fail_at(place_of(*range), "M1", "'{}' is no start:limit or start:limit:step", range->string_view());
      starts.emplace_back().held = ends[0];
      limits.emplace_back().held = ends[1];
      steps.emplace_back().held = ends.size() > 2 ? ends[2] : Index{1};
    }
    op.attributes["start_indices"].held = std::move(starts);
    op.attributes["limit_indices"].held = std::move(limits);
    op.attributes["strides"].held = std::move(steps);
    return {};
  }

  /// reduce prints (input init: start), (input init: start); its operands are the inputs, then the starts.
  static void separate_inits(Operation& op) {
    std::vector<Slot> inputs, starts;
    for (std::size_t i = 0; i < op.operands.size(); ++i) (i % 2 == 0 ? inputs : starts).push_back(op.operands[i]);
    op.operands = std::move(inputs);
    op.operands.insert(op.operands.end(), starts.begin(), starts.end());
  }

  /// Behind the colon stands a function type, or a list that ends with the types of the results.
  Status read_signature(const Node& signature, const Parts& parts, std::size_t results, Operation& op) {
    const bool is_function = signature.is_type<grammar::function_type>();
    GARNER_ASSIGN(std::vector<TensorType> types,
                  read_types(is_function ? *signature.children[1] : signature, aliases_.types));
    if (parts.dense != nullptr && !types.empty()) GARNER_TRY(add_constant(*parts.dense, types.back(), op));
    if (!is_function && types.size() > results)
      types.erase(types.begin(), types.end() - static_cast<std::ptrdiff_t>(results));
    op.result_types = std::move(types);
    return {};
  }

  static Status add_constant(const Node& dense, const TensorType& type, Operation& op) {
    GARNER_ASSIGN(Tensor value, read_dense(dense.children[0]->string_view(), type, place_of(dense)));
    op.attributes["value"] = {std::move(value)};
    return {};
  }

  // ---- regions of the short forms ----

  /// `applies stablehlo.add` is a body of that operation on elements of the results' types.
  Status add_applied(const Node& applied, Operation& op) {
    Operation inner;
    inner.name = applied.children[0]->string();
    inner.place = place_of(*applied.children[0]);
    inner.info = find_op(inner.name);
    if (inner.info == nullptr) return fail_at(inner.place, "M2", "{} is not offered", inner.name);
    if (op.result_types.size() != 1) return fail_at(inner.place, "M1", "applies is for one result");
    const TensorType element{op.result_types[0].dtype, {}};
    Operation result;
    result.name = "stablehlo.return";
    result.place = inner.place;
    result.info = find_op(result.name);
    scopes_.open();
    inner.operands = {scopes_.define("%lhs"), scopes_.define("%rhs")};
    inner.results = result.operands = {scopes_.define("%out")};
    inner.result_types = {element};
    scopes_.close();
    op.regions.push_back({inner.operands, {element, element}, {inner, result}});
    return {};
  }

  /// reducer(%a: t, %b: t) (%c: u, %d: u): a pair for each input; the region's arguments are all the first, then all
  /// the second of them.
  Status read_reducer(const Node& reducer, Operation& op) {
    Header header;
    for (const std::size_t second : {0, 1})
      for (const auto& pair : reducer.children) {
        if (!pair->is_type<grammar::reducer_pair>()) continue;
        if (pair->children.size() != 2) return fail_at(place_of(*pair), "M1", "a reducer takes pairs of arguments");
        const Node& argument = *pair->children[second];
        GARNER_ASSIGN(TensorType type, read_type(*argument.children[1], aliases_.types));
        header.names.push_back(argument.children[0]->string_view());
        header.types.push_back(std::move(type));
      }
    return read_scoped_region(*reducer.children.back(), header, op);
  }

  /// while names its regions' arguments in front of both.
  Status read_loop_region(const Node& region, const Parts& parts, Operation& op) {
    if (parts.bindings.size() != op.result_types.size())
      return fail_at(op.place, "M1", "{} has {} values and {} types", op.name, parts.bindings.size(),
                     op.result_types.size());
    Header header;
    for (const Node* binding : parts.bindings) header.names.push_back(binding->string_view());
    header.types = op.result_types;
    return read_scoped_region(region, header, op);
  }

  const Aliases& aliases_;
  Scopes scopes_;
};

}  // namespace

Result<Function> read_function(const Node& region, Signature signature, const Aliases& aliases) {
  FunctionReader reader(aliases);
  GARNER_ASSIGN(Region body, reader.read_body(region, signature.arguments));
  return Function{std::move(signature), std::move(body), reader.slots()};
}

}  // namespace garner::mlir
