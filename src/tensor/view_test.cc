#include "garner/view.h"
#include <gtest/gtest.h>
namespace garner { TEST(View, RowMajor) { EXPECT_EQ(row_major({2, 3, 4}), (Axes{12, 4, 1})); } }
