// SPDX-License-Identifier: Apache-2.0
#include "profiler/gpu/refusal.h"

#include <gtest/gtest.h>

namespace ampprof::profiler {
namespace refusal_test {

TEST(GpuRefusal, SaysWhatToDoWhereItKnows) {
  for (const std::uint32_t result : {14, 15, 33, 35, 40, 41}) {
    const Missing missing = refused(result, "CUPTI_ERROR_X", "");
    EXPECT_TRUE(missing.cause.ends_with(": CUPTI_ERROR_X"));
    EXPECT_FALSE(missing.remedy.empty());
  }
}

TEST(GpuRefusal, ElseGivesCuptisWords) {
  EXPECT_EQ(refused(43, "CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED (43)", "").cause,
            "CUPTI refuses: CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED (43)");
  EXPECT_EQ(kind_refused("memcpys from and to GPUs", 27, "CUPTI_ERROR_NOT_SUPPORTED (27)").what,
            "memcpys from and to GPUs");
}

TEST(GpuRefusal, NamesTheOtherToolIfItCan) {
  EXPECT_EQ(refused(39, "", "Nsight Systems").cause, "\"Nsight Systems\" uses CUPTI, which serves one tool at a time");
  EXPECT_EQ(refused(39, "", "").cause, "another tool uses CUPTI, which serves one tool at a time");
}

TEST(GpuRefusal, TellsVersionsThatCanBeReadFromThoseThatCannot) {
  EXPECT_EQ(version_text(130001), "13.0.1");
  EXPECT_EQ(version_text(130400), "13.4.0");
  EXPECT_EQ(other_version(130001, 130400).what, "what is new in CUPTI's records");
  EXPECT_EQ(other_version(130001, 140000).what, "all GPU activity");
  EXPECT_EQ(other_version(130001, 26).what, "all GPU activity");
}

}  // namespace refusal_test
}  // namespace ampprof::profiler
