// SPDX-License-Identifier: Apache-2.0
#include "precision/gpu/peak_rates.h"

#include <gtest/gtest.h>

namespace ampprof::gpu {
namespace peak_rates_test {

std::optional<PeakRates> rates_of(std::string_view name) { return peak_rates(device_caps(name).value()); }

TEST(PeakRates, AreThoseOfTheGpuOfThatName) {
  EXPECT_EQ(rates_of("NVIDIA H100 PCIe")->half, 756);
  EXPECT_EQ(rates_of("NVIDIA H100 80GB HBM3")->half, 989.4);
  EXPECT_EQ(rates_of("NVIDIA B200")->fp4, 9000);
}

TEST(PeakRates, AreThoseOfTheFirstOfACapability) {
  EXPECT_EQ(rates_of("sm_100")->name, "B200");
  EXPECT_EQ(rates_of("sm_90")->name, "H100");
  EXPECT_EQ(rates_of("RTX 4070")->name, "L40S");
}

TEST(PeakRates, AreUnknownOfOthers) { EXPECT_FALSE(rates_of("GTX 1080")); }

TEST(PeakRates, OfNarrowerTypesAreAtLeastAsHigh) {
  for (const char* name : {"sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_120"}) {
    const PeakRates rates = rates_of(name).value();
    EXPECT_LT(rates.tf32, rates.half) << name;
    EXPECT_TRUE(rates.fp8 == 0 || rates.fp8 > rates.half) << name;
    EXPECT_TRUE(rates.fp4 == 0 || rates.fp4 > rates.fp8) << name;
    EXPECT_EQ(rates.sm, device_caps(name)->major * 10 + device_caps(name)->minor);
    EXPECT_GT(rates.gb_per_s, 0) << name;
    EXPECT_FALSE(rates.source.empty()) << name;
  }
}

}  // namespace peak_rates_test
}  // namespace ampprof::gpu
