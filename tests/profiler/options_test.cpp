// SPDX-License-Identifier: Apache-2.0
#include "profiler/recorder/options.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace ampprof::profiler {
namespace options_test {

using Variables = std::map<std::string, std::string>;

std::optional<RecordOptions> options_from(Variables variables) {
  variables.try_emplace("AMPPROF_RECORD_REPORT", "/tmp/r.ampprof");
  variables.try_emplace("AMPPROF_RECORD_RUN", "1");
  return record_options([&](const char* name) {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  });
}

TEST(RecordOptions, NothingIsRecordedWithoutAReport) {
  EXPECT_FALSE(options_from({{"AMPPROF_RECORD_REPORT", ""}}));
  EXPECT_FALSE(options_from({{"AMPPROF_RECORD_RUN", "x"}}));
}

TEST(RecordOptions, DefaultsRecordEverythingAgainstFp32) {
  const auto options = options_from({});
  ASSERT_TRUE(options);
  EXPECT_EQ(options->reference, ReferenceMode::Float);
  EXPECT_FALSE(options->seed);
  EXPECT_FALSE(options->inject_casts);
  for (const std::int64_t step : {0, 1, 2, 1000000}) EXPECT_TRUE(options->records(step, 0)) << step;
}

TEST(RecordOptions, ReadsWhatToLearn) {
  const auto plain = options_from({});
  ASSERT_TRUE(plain);
  EXPECT_FALSE(plain->inherited);
  EXPECT_FALSE(plain->impact);
  EXPECT_EQ(plain->what_if, "");
  const auto options = options_from({{"AMPPROF_RECORD_INHERITED", "1"},
                                     {"AMPPROF_RECORD_IMPACT", "1"},
                                     {"AMPPROF_RECORD_WHAT_IF", "bf16"},
                                     {"AMPPROF_RECORD_ASSUME_SCALE", "128"}});
  ASSERT_TRUE(options);
  EXPECT_TRUE(options->inherited);
  EXPECT_TRUE(options->impact);
  EXPECT_EQ(options->what_if, "bf16");
  EXPECT_EQ(options->assume_scale, 128.0);
}

TEST(RecordOptions, GoesDeepInEveryNthOfTheRecordedSteps) {
  const auto options =
      options_from({{"AMPPROF_RECORD_STEPS", "3:"}, {"AMPPROF_RECORD_EVERY", "2"}, {"AMPPROF_RECORD_DEEP_EVERY", "3"}});
  ASSERT_TRUE(options);
  for (const std::int64_t step : {3, 9, 15}) EXPECT_TRUE(options->goes_deep(step)) << step;
  for (const std::int64_t step : {5, 7, 11, 13}) EXPECT_FALSE(options->goes_deep(step)) << step;
}

TEST(RecordOptions, ReadsEachVariable) {
  const auto options = options_from({{"AMPPROF_RECORD_REFERENCE", "fp64"},
                                     {"AMPPROF_RECORD_SEED", "7"},
                                     {"AMPPROF_RECORD_INJECT", "O1"},
                                     {"AMPPROF_RECORD_MAX_BYTES", "1000"}});
  ASSERT_TRUE(options);
  EXPECT_EQ(options->reference, ReferenceMode::Double);
  EXPECT_EQ(options->seed, 7);
  EXPECT_TRUE(options->inject_casts);
  EXPECT_EQ(options->max_bytes, 1000);
}

TEST(RecordOptions, StepsAreInclusiveAndEveryCountsFromTheFirst) {
  const auto options = options_from({{"AMPPROF_RECORD_STEPS", "3:9"}, {"AMPPROF_RECORD_EVERY", "2"}});
  ASSERT_TRUE(options);
  std::string recorded;
  for (int step = 0; step <= 11; ++step) {
    if (options->records(step, 0)) recorded += std::to_string(step) + " ";
  }
  EXPECT_EQ(recorded, "3 5 7 9 ");
}

TEST(RecordOptions, DelayAndDurationAreSeconds) {
  const auto options = options_from({{"AMPPROF_RECORD_DELAY", "1.5"}, {"AMPPROF_RECORD_DURATION", "2"}});
  ASSERT_TRUE(options);
  EXPECT_FALSE(options->records(1, 1'499'999'999));
  EXPECT_TRUE(options->records(1, 1'500'000'000));
  EXPECT_TRUE(options->records(1, 3'500'000'000));
  EXPECT_FALSE(options->records(1, 3'500'000'001));
}

}  // namespace options_test
}  // namespace ampprof::profiler
