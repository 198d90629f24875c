// Attributes of the text as values.
#pragma once
#include "mlir/types.h"

namespace garner::mlir {

/// #name = …: the nodes behind names of attributes.
using AttributeNames = std::map<std::string, const Node*, std::less<>>;

struct Aliases {
  AttributeNames attributes;
  TypeNames types;
};

/// The node of an attribute: with its type, or without one. Rules M1 a number that no 64 bits hold, a dense<…> without
/// a type; M4 a name without a definition.
Result<Attribute> read_attribute(const Node& node, const Aliases& aliases);

/// The entries of a dictionary, of <{…}> and of #name<…>, added to those there.
Status read_entries(const Node& node, const Aliases& aliases, Attributes& out);

/// A string without its quotes, a symbol without its @.
std::string plain(const Node& node);

}  // namespace garner::mlir
