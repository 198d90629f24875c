// A module after it has been read: names have become slots, operations have been found in the table.
#pragma once
#include <map>

#include "garner/mlir.h"

namespace garner::mlir {

struct Place {
  std::size_t line = 0, column = 0;
};

struct Attribute;
using Attributes = std::map<std::string, Attribute, std::less<>>;

/// nothing: a flag that stands there by itself. Texts are words, strings and symbols; tensors are dense<…> : type.
struct Attribute {
  std::variant<std::monostate, bool, Index, double, std::string, Tensor, std::vector<Attribute>,
               std::shared_ptr<const Attributes>>
      held;
};

/// Where a function keeps a value while it runs.
using Slot = std::size_t;

struct Operation;

/// Regions use the slots of the function they stand in, and so see the values outside.
struct Region {
  std::vector<Slot> arguments;
  std::vector<TensorType> types;  // of the arguments
  std::vector<Operation> operations;  // the last one returns
};

struct OpInfo;

struct Operation {
  const OpInfo* info = nullptr;
  std::string name;  // as written: "stablehlo.add"
  Place place;
  std::vector<Slot> operands, results;
  std::vector<TensorType> result_types;
  Attributes attributes;  // pretty and generic spellings side by side: read.h
  std::vector<std::string> words;  // LT, SIGNED
  std::vector<Region> regions;
};

struct Function {
  Signature signature;
  Region body;
  Slot slots = 0;  // how many
};

struct Program {
  std::vector<Function> functions;
  const Function* find(std::string_view name) const {
    for (const Function& f : functions)
      if (f.signature.name == name) return &f;
    return nullptr;
  }
};

}  // namespace garner::mlir
