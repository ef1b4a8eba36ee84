// SPDX-License-Identifier: Apache-2.0
#include "profiler/gpu/refusal.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace ampprof::profiler {
namespace refusal_test {

TEST(GpuRefusal, SaysWhatToDoWhereItKnows) {
  for (const std::uint32_t result : {14, 15, 33, 35, 40, 41}) {
    const Missing missing = refused(result, "CUPTI_ERROR_X", "");
    EXPECT_TRUE(missing.cause.ends_with(": CUPTI_ERROR_X"));
    EXPECT_FALSE(missing.remedy.empty());
  }
}

TEST(GpuRefusal, KnowsEachReasonByItsNumber) {
  const std::pair<std::uint32_t, std::string> causes[]{
      {14, "the NVIDIA driver is of another release than CUPTI"},
      {15, "CUPTI could not start: there is no NVIDIA driver or no GPU"},
      {33, "a virtual GPU does not allow recording"},
      {35, "the driver lets only administrators record GPUs"},
      {40, "a virtual GPU does not allow recording"},
      {41, "the GPU runs in confidential computing mode"}};
  for (const auto& [result, cause] : causes) EXPECT_EQ(refused(result, "X", "").cause, cause + ": X");
}

TEST(GpuRefusal, IsOneThingThatIsMissing) {
  for (const Missing& missing : {built_without_cupti(), library_not_loaded("no file"), refused(1, "X", ""),
                                 refused(39, "X", ""), kind_refused("memsets", 1, "X"), other_version(130001, 140000),
                                 already_open(), own_failure("X"), dump_failed("a/file")}) {
    EXPECT_EQ(missing.count, 1) << missing.cause;
  }
}

TEST(GpuRefusal, CountsWhatFailedWhileItRan) {
  EXPECT_EQ(ids_too_large(3).count, 3);
  EXPECT_EQ(pushes_failed(4).count, 4);
  EXPECT_EQ(flushes_failed(5).count, 5);
  EXPECT_EQ(own_failure("no memory").cause, "the recording failed: no memory");
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
  EXPECT_EQ(version_text(10000), "1.0.0");
  EXPECT_EQ(version_text(9999), "of CUDA 12 or older (9999)");
  EXPECT_EQ(other_version(130001, 130400).what, "fields added in a newer CUPTI");
  EXPECT_EQ(other_version(130001, 140000).what, "all GPU activity");
  EXPECT_EQ(other_version(130001, 26).what, "all GPU activity");
}

}  // namespace refusal_test
}  // namespace ampprof::profiler
