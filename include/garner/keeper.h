// Who keeps memory alive that a View looks at.
#pragma once
#include <memory>

namespace garner {

/// The owner of memory that is no Tensor: a mapped file, say. The memory is there as long as somebody holds this.
class Keeper {
 public:
  virtual ~Keeper() = default;
  /// The bytes need not stay resident until they are read again. Never changes what is read.
  virtual void forget() const {}
};

using KeptBy = std::shared_ptr<const Keeper>;

}  // namespace garner
