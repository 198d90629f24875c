// Reading an operation's attributes. The pretty form of an operation and the generic one call them differently, so all
// of these take the names one may have; a list may be written [0, 1], array<i64: 0, 1> or dense<[0, 1]>. Rule M5.
#pragma once
#include <initializer_list>

#include "mlir/op.h"

namespace garner::mlir {

using Names = std::initializer_list<std::string_view>;

/// The first of these that is there, or null.
const Attribute* find(const Attributes& attributes, Names names);

/// Rule M5: missing, or of another kind.
Result<Index> integer(const Operation& op, Names names);
Result<Axes> integers(const Operation& op, Names names);
Result<std::string> text(const Operation& op, Names names);
Result<Tensor> tensor(const Operation& op, Names names);
/// What #stablehlo.gather<…> holds.
Result<const Attributes*> dictionary(const Operation& op, Names names);

/// The same, where nothing is there.
Result<Index> integer_or(const Operation& op, Names names, Index fallback);
Result<Axes> integers_or(const Operation& op, Names names, const Axes& fallback);
Result<double> real_or(const Operation& op, Names names, double fallback);
Result<bool> flag(const Operation& op, std::string_view name);

/// Entries of a dictionary that is itself an attribute; nothing there is an empty list, or 0.
Result<Axes> integers_in(const Operation& op, const Attributes& dictionary, std::string_view name);
Result<Index> integer_in(const Operation& op, const Attributes& dictionary, std::string_view name);

}  // namespace garner::mlir
