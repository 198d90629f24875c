// A Program from the parts of a model file, in the order of the file. Knows names, operators and attributes; of the
// file's own format it knows nothing.
#pragma once
#include <unordered_map>
#include <unordered_set>

#include "model/program.h"

namespace garner::model {

/// An attribute: an integer, a word, or of a type that no operator here has.
struct Attribute {
  std::string name;
  std::variant<std::monostate, Index, std::string> value;
};

struct Node {
  std::string title;  // "node 'rows'"
  std::string op;     // "Gather"
  std::vector<std::string> inputs, outputs;
  std::vector<Attribute> attributes;
};

class Builder {
 public:
  /// Rule OM2.
  static Result<Builder> with_opset(Index opset);

  /// Rule OM7: a name that is empty or taken. Initialisers come after the inputs, and may be values of these.
  Status add_input(Port port);
  Status add_initializer(const std::string& name, Tensor value);
  Status add_constant(const Node& node, Tensor value);
  /// Rules OM3 (no such operator), OM7 (reads what is not there yet, writes what is), OM8 (inputs, attributes).
  Status add_node(const Node& node);
  Status add_output(Port port);

  Program finish() &&;

 private:
  Result<Slot> define(const std::string& name, const std::string& what);
  Result<Slot> find(const std::string& name, const std::string& what) const;
  Result<Slot> written(const Node& node, const std::string& name);
  Result<Operation> operation_of(const Node& node);
  Status fill_inputs(const Node& node, Step& step) const;
  Status fill_attributes(const Node& node, Step& step) const;

  Program program_;
  std::unordered_map<std::string, Slot> slots_;
  std::unordered_set<Slot> outputs_;
  std::map<std::string, Operation> operations_;  // reading a signature once is enough
};

}  // namespace garner::model
