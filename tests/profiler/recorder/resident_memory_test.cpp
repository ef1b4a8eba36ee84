// SPDX-License-Identifier: Apache-2.0
#include "profiler/recorder/resident_memory.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <vector>

namespace ampprof::profiler {
namespace resident_memory_test {

TEST(ResidentMemory, GrowsWithWhatIsTouchedAndThePeakOutlivesIt) {
  constexpr std::int64_t kSize = 64 << 20;
  forget_peak_memory();
  const std::int64_t before = resident_bytes();
  ASSERT_GT(before, 0);
  {
    std::vector<char> block(kSize);
    std::memset(block.data(), 1, block.size());
    EXPECT_GE(resident_bytes() - before, kSize * 9 / 10);
  }
  EXPECT_LT(resident_bytes() - before, kSize / 2);
  EXPECT_GE(peak_resident_bytes() - before, kSize * 9 / 10);
  EXPECT_EQ(peak_resident_bytes() % sysconf(_SC_PAGESIZE), 0);
}

TEST(ResidentPeak, KeepsTheLargest) {
  ResidentPeak peak;
  EXPECT_EQ(peak.bytes(), 0);
  for (const std::int64_t bytes : {5, 9, 7}) peak.see(bytes);
  EXPECT_EQ(peak.bytes(), 9);
}

}  // namespace resident_memory_test
}  // namespace ampprof::profiler
