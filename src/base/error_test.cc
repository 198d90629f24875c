#include "garner/error.h"

#include <gtest/gtest.h>

namespace garner {
namespace {

/// Throws `code` and catches it as E; what arrives must carry the same three things.
template <class E>
void expect_class(Code code) {
  try {
    throw_error({code, "XY7", "op: a line"});
  } catch (const E& e) {
    EXPECT_EQ(e.code(), code);
    EXPECT_EQ(e.rule(), "XY7");
    EXPECT_STREQ(e.what(), "op: a line");
    return;
  } catch (const std::exception&) {}
  ADD_FAILURE() << "another class for code " << static_cast<int>(code);
}

TEST(Error, ClassOfEachCode) {
  expect_class<ArgumentError>(Code::kInvalidArgument);
  expect_class<TypeError>(Code::kType);
  expect_class<IndexError>(Code::kIndex);
  expect_class<UnsupportedError>(Code::kUnsupported);
  expect_class<MemoryError>(Code::kMemory);
  expect_class<SystemError>(Code::kSystem);
}

TEST(Error, EveryClassIsAnError) {
  for (const Code code :
       {Code::kInvalidArgument, Code::kType, Code::kIndex, Code::kUnsupported, Code::kMemory, Code::kSystem}) {
    expect_class<Error>(code);
    EXPECT_THROW(throw_error({code, "R", "m"}), std::runtime_error);
  }
}

TEST(Error, ValueOrThrow) {
  EXPECT_EQ(value_or_throw(Result<int>(7)), 7);
  EXPECT_NO_THROW(value_or_throw(Status{}));
  EXPECT_THROW(value_or_throw(Status{Code::kIndex, "P16", "m"}), IndexError);
  EXPECT_THROW(value_or_throw(Result<int>(Status{Code::kMemory, "V6", "m"})), MemoryError);
}

}  // namespace
}  // namespace garner
