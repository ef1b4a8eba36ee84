// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <ostream>

#include "precision/gpu/device_caps.h"

namespace ampprof::gpu {
namespace device_caps_test {

struct Known {
  const char* spelling;
  const char* name;
  int capability;
  int multiprocessors;
  int alignment_bytes = 16;
  bool tensor_cores = true;
};

void PrintTo(const Known& known, std::ostream* out) { *out << '"' << known.spelling << '"'; }

class DeviceCapsOf : public testing::TestWithParam<Known> {};

TEST_P(DeviceCapsOf, AreFound) {
  const Known& known = GetParam();
  const auto caps = device_caps(known.spelling);
  ASSERT_TRUE(caps.has_value());
  EXPECT_EQ(caps->name, known.name);
  EXPECT_EQ(caps->major * 10 + caps->minor, known.capability);
  EXPECT_EQ(caps->multiprocessors, known.multiprocessors);
  EXPECT_EQ(caps->alignment_bytes, known.alignment_bytes);
  EXPECT_EQ(caps->tensor_cores, known.tensor_cores);
}

INSTANTIATE_TEST_SUITE_P(
    Names, DeviceCapsOf,
    testing::Values(Known{"sm_90", "sm_90", 90, 0}, Known{"sm_90a", "sm_90", 90, 0}, Known{"SM75", "sm_75", 75, 0},
                    Known{"compute_86", "sm_86", 86, 0}, Known{"9.0", "sm_90", 90, 0},
                    Known{"sm_100", "sm_100", 100, 0}, Known{"sm_80", "sm_80", 80, 0, 128},
                    Known{"sm_60", "sm_60", 60, 0, 16, false}, Known{"sm_62", "sm_62", 62, 0, 16, false},
                    Known{"sm_70", "sm_70", 70, 0}, Known{"sm_100f", "sm_100", 100, 0},
                    Known{"Quadro RTX 8000", "RTX 8000", 75, 72}, Known{"  RTX - 3090 (24 GB)", "RTX 3090", 86, 82},
                    Known{"V100", "V100", 70, 80}, Known{"Tesla V100-SXM2-16GB", "V100", 70, 80},
                    Known{"t4", "T4", 75, 40}, Known{"A100", "A100", 80, 108, 128},
                    Known{"NVIDIA A100-SXM4-80GB", "A100", 80, 108, 128}, Known{"A10", "A10", 86, 72},
                    Known{"NVIDIA A10G", "A10G", 86, 80}, Known{"L4", "L4", 89, 58},
                    Known{"NVIDIA L40S", "L40S", 89, 142}, Known{"RTX 3090", "RTX 3090", 86, 82},
                    Known{"rtx3090", "RTX 3090", 86, 82}, Known{"NVIDIA GeForce RTX 3090 Ti", "RTX 3090 Ti", 86, 84},
                    Known{"NVIDIA GeForce RTX 4090 Laptop GPU", "RTX 4090", 89, 0},
                    Known{"NVIDIA H100 80GB HBM3", "H100", 90, 132}, Known{"NVIDIA H100 PCIe", "H100 PCIe", 90, 114},
                    Known{"H200", "H200", 90, 132}, Known{"NVIDIA B200", "B200", 100, 148},
                    Known{"GTX 1660 Ti", "GTX 1660 Ti", 75, 24, 16, false}, Known{"P100", "P100", 60, 56, 16, false}),
    [](const auto& info) { return std::to_string(info.index); });

TEST(DeviceCapsOf, AreKnownOfAllComputeCapabilities) {
  for (const int capability : {50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86, 87, 89, 90, 100, 101, 103, 110, 120, 121}) {
    EXPECT_TRUE(device_caps("sm_" + std::to_string(capability))) << capability;
  }
}

class UnknownDevice : public testing::TestWithParam<const char*> {};

TEST_P(UnknownDevice, IsEmpty) { EXPECT_FALSE(device_caps(GetParam()).has_value()); }

INSTANTIATE_TEST_SUITE_P(Names, UnknownDevice,
                         testing::Values("", "cpu", "sm_", "sm_91", "sm_9", "sm_90x", "sm_1", "sm_51", "a90", "A1000",
                                         "Radeon VII", "RTX", "99999999999999999999"),
                         [](const auto& info) { return std::to_string(info.index); });

struct Multiplies {
  const char* device;
  DType dtype;
  bool expected;
  bool tf32 = false;
};

void PrintTo(const Multiplies& row, std::ostream* out) {
  *out << row.device << " type " << static_cast<int>(row.dtype) << (row.tf32 ? " with TF32" : "");
}

class TensorCoresOf : public testing::TestWithParam<Multiplies> {};

TEST_P(TensorCoresOf, MultiplyTheTypesOfTheirGeneration) {
  auto caps = device_caps(GetParam().device);
  ASSERT_TRUE(caps.has_value());
  caps->tf32_allowed = GetParam().tf32;
  EXPECT_EQ(has_tensor_cores(*caps, GetParam().dtype), GetParam().expected);
}

INSTANTIATE_TEST_SUITE_P(
    Types, TensorCoresOf,
    testing::Values(Multiplies{"P100", DType::Half, false}, Multiplies{"GTX 1660", DType::Half, false},
                    Multiplies{"V100", DType::Half, true}, Multiplies{"V100", DType::BFloat16, false},
                    Multiplies{"T4", DType::Float, false, true}, Multiplies{"A100", DType::BFloat16, true},
                    Multiplies{"A100", DType::Float, false}, Multiplies{"A100", DType::Float, true, true},
                    Multiplies{"RTX 3090", DType::BFloat16, true}, Multiplies{"A100", DType::Double, true},
                    Multiplies{"H100", DType::Double, true}, Multiplies{"B200", DType::Double, true},
                    Multiplies{"L4", DType::Double, false}, Multiplies{"sm_121", DType::Double, false},
                    Multiplies{"RTX 3090", DType::Double, false}, Multiplies{"A100", DType::Float8E4M3, false},
                    Multiplies{"L4", DType::Float8E4M3, true}, Multiplies{"H100", DType::Float8E5M2, true},
                    Multiplies{"H100", DType::Int64, false}, Multiplies{"H100", DType::Unknown, false}),
    [](const auto& info) { return std::to_string(info.index); });

}  // namespace device_caps_test
}  // namespace ampprof::gpu
