#include "garner/dlpack.h"

#include <gtest/gtest.h>

#include <array>

namespace garner {
namespace {

/// A 2x3 f32 tensor of memory that is never read.
struct Foreign {
  std::array<float, 8> memory{};
  std::array<std::int64_t, 2> shape{2, 3}, strides{1, 2};
  DLTensor tensor{};
  Foreign() {
    tensor.data = memory.data();
    tensor.device = {kDLCPU, 0};
    tensor.ndim = 2;
    tensor.dtype = {kDLFloat, 32, 1};
    tensor.shape = shape.data();
    tensor.strides = strides.data();
  }
};

TEST(Dlpack, EveryDtypeComesBack) {
  alignas(64) const std::array<char, 64> memory{};
  for (const DTypeInfo& d : kDTypes) {
    const View view(d.dtype, memory.data(), {2, 2}, {-1, 0});
    const auto back = from_dlpack(to_dlpack(view));
    ASSERT_TRUE(back.ok()) << d.name;
    EXPECT_EQ(back->dtype(), d.dtype);
    EXPECT_EQ(back->shape(), view.shape());
    EXPECT_EQ(back->stride(), view.stride());
    EXPECT_EQ(back->data(), view.data());
  }
}

TEST(Dlpack, CodesAreThoseOfTheStandard) {
  struct Code {
    DType dtype;
    int code;
  };
  for (const Code& c : {Code{DType::kI8, kDLInt}, Code{DType::kU64, kDLUInt}, Code{DType::kF16, kDLFloat},
                        Code{DType::kBF16, kDLBfloat}, Code{DType::kC128, kDLComplex}})
    EXPECT_EQ(info(c.dtype).dlpack_code, c.code) << name(c.dtype);
}

TEST(Dlpack, StridesAreKept) {
  Foreign f;
  const auto view = from_dlpack(f.tensor);
  ASSERT_TRUE(view.ok());
  EXPECT_EQ(view->shape(), (Axes{2, 3}));
  EXPECT_EQ(view->stride(), (Axes{1, 2}));
}

TEST(Dlpack, NullStridesAreRowMajor) {
  Foreign f;
  f.tensor.strides = nullptr;
  const auto view = from_dlpack(f.tensor);
  ASSERT_TRUE(view.ok());
  EXPECT_EQ(view->stride(), (Axes{3, 1}));
}

TEST(Dlpack, ByteOffsetMovesThePointer) {
  Foreign f;
  f.tensor.byte_offset = 8;
  const auto view = mutable_from_dlpack(f.tensor);
  ASSERT_TRUE(view.ok());
  EXPECT_EQ(view->mutable_data(), f.memory.data() + 2);
}

TEST(Dlpack, RankZeroAndEmpty) {
  Foreign f;
  f.tensor.ndim = 0;
  f.tensor.shape = f.tensor.strides = nullptr;
  EXPECT_EQ(from_dlpack(f.tensor)->rank(), 0);
  Foreign empty;
  empty.shape = {0, 3};
  empty.tensor.data = nullptr;
  empty.tensor.byte_offset = 16;  // means nothing without memory
  const auto view = from_dlpack(empty.tensor);
  ASSERT_TRUE(view.ok());
  EXPECT_EQ(view->data(), nullptr);
}

TEST(Dlpack, HostMemoryOfOtherDevicesIsCpuMemory) {
  for (const auto device : {kDLCUDAHost, kDLROCMHost}) {
    Foreign f;
    f.tensor.device.device_type = device;
    EXPECT_TRUE(from_dlpack(f.tensor).ok());
  }
}

TEST(Dlpack, CudaMemoryKeepsItsDevice) {
  Foreign f;
  f.tensor.device = {kDLCUDA, 3};
  const auto view = from_dlpack(f.tensor);
  ASSERT_TRUE(view.ok());
  EXPECT_EQ(view->device(), (Device{DeviceKind::kCuda, 3}));
  EXPECT_EQ(to_dlpack(*view).device.device_type, kDLCUDA);
  EXPECT_EQ(to_dlpack(*view).device.device_id, 3);
}

TEST(Dlpack, D1_MemoryOfOtherDevices) {
  for (const auto device : {kDLMetal, kDLOpenCL, kDLVulkan}) {
    Foreign f;
    f.tensor.device.device_type = device;
    EXPECT_EQ(from_dlpack(f.tensor).status().rule, "D1");
    EXPECT_EQ(from_dlpack(f.tensor).status().code, Code::kUnsupported);
  }
}

TEST(Dlpack, D2_UnknownDtype) {
  const DLDataType cases[] = {{kDLFloat, 32, 4}, {kDLFloat, 32, 0},  {kDLFloat, 8, 1},        {kDLInt, 128, 1},
                              {kDLInt, 4, 1},    {kDLBfloat, 32, 1}, {kDLOpaqueHandle, 64, 1}};
  for (const DLDataType& dtype : cases) {
    Foreign f;
    f.tensor.dtype = dtype;
    EXPECT_EQ(from_dlpack(f.tensor).status().rule, "D2") << int{dtype.code} << ' ' << int{dtype.bits};
  }
}

TEST(Dlpack, ViewRulesHold) {
  Foreign negative, null, rank;
  negative.shape[1] = -3;
  null.tensor.data = nullptr;
  rank.tensor.ndim = -1;
  EXPECT_EQ(from_dlpack(negative.tensor).status().rule, "V1");
  EXPECT_EQ(from_dlpack(null.tensor).status().rule, "V4");
  EXPECT_EQ(from_dlpack(rank.tensor).status().rule, "V1");
  Foreign far, odd;
  odd.tensor.byte_offset = 3;
  EXPECT_EQ(from_dlpack(odd.tensor).status().rule, "V8");
  far.strides[0] = std::int64_t{1} << 62;
  EXPECT_EQ(from_dlpack(far.tensor).status().rule, "V2");
}

}  // namespace
}  // namespace garner
