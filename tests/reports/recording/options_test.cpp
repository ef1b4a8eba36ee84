// SPDX-License-Identifier: Apache-2.0
#include "reports/recording/options.h"

#include <gtest/gtest.h>

#include <map>
#include <ostream>
#include <string>

namespace ampprof::recording {
namespace options_test {

std::optional<Options> read(const std::map<std::string, std::string>& variables) {
  return options_from([&](const char* name) {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  });
}

Options written_and_read(const Options& options) {
  const Variables variables = variables_of(options);
  return read({variables.begin(), variables.end()}).value_or(Options{});
}

/// Returns the options that every recording needs.
Options usual() {
  Options options;
  options.report = "/tmp/r.ampprof";
  options.run = 1;
  return options;
}

Options everything_else() {
  Options options = usual();
  options.reference = ReferenceMode::Double;
  options.inherited = options.impact = options.inject_casts = options.pending_on_cpu = true;
  options.estimates = false;
  options.impact_bytes = 7;
  options.deep_every = 3;
  options.check_ranks = 5;
  options.what_if = "bf16";
  options.assume_scale = 0.1;
  options.first_step = 3;
  options.last_step = 10;
  options.every = 2;
  options.delay = 1.5;
  options.duration = 2;
  options.max_bytes = 1000;
  options.loss_scale = 1e-3;
  options.seed = UINT64_MAX;
  options.rerun = {"myops::", "other::scale"};
  options.level = "O1";
  return options;
}

TEST(RecordingOptions, WhatIsWrittenIsRead) {
  EXPECT_EQ(written_and_read(usual()), usual());
  EXPECT_EQ(written_and_read(everything_else()), everything_else());
}

TEST(RecordingOptions, OnlyWhatIsNotUsualIsWritten) {
  EXPECT_EQ(variables_of(Options{}), Variables{});
  EXPECT_EQ(variables_of(usual()),
            (Variables{{"AMPPROF_RECORD_REPORT", "/tmp/r.ampprof"}, {"AMPPROF_RECORD_RUN", "1"}}));
}

TEST(RecordingOptions, EachHasAVariableButTheGpu) {
  const Variables variables = variables_of(everything_else());
  EXPECT_EQ(variables.size(), 23u) << "a member that no variable carries";
}

TEST(RecordingOptions, NothingIsRecordedWithoutAReport) {
  EXPECT_FALSE(read({{"AMPPROF_RECORD_RUN", "1"}}));
  EXPECT_FALSE(read({{"AMPPROF_RECORD_REPORT", "/tmp/r.ampprof"}, {"AMPPROF_RECORD_RUN", "x"}}));
}

struct Malformed {
  const char* name;
  const char* variable;
  const char* text;
};
void PrintTo(const Malformed& malformed, std::ostream* out) { *out << malformed.variable << '=' << malformed.text; }

class MalformedVariable : public testing::TestWithParam<Malformed> {};

TEST_P(MalformedVariable, CountsAsNotSet) {
  EXPECT_EQ(read({{"AMPPROF_RECORD_REPORT", "/tmp/r.ampprof"},
                  {"AMPPROF_RECORD_RUN", "1"},
                  {GetParam().variable, GetParam().text}}),
            usual());
}

INSTANTIATE_TEST_SUITE_P(RecordingOptions, MalformedVariable,
                         testing::Values(Malformed{"word", "AMPPROF_RECORD_EVERY", "two"},
                                         Malformed{"rest", "AMPPROF_RECORD_LAST_STEP", "3 steps"},
                                         Malformed{"none_at_a_time", "AMPPROF_RECORD_EVERY", "0"},
                                         Malformed{"never_deep", "AMPPROF_RECORD_DEEP_EVERY", "-1"},
                                         Malformed{"checks_backwards", "AMPPROF_RECORD_CHECK_RANKS", "-1"},
                                         Malformed{"empty", "AMPPROF_RECORD_LOSS_SCALE", ""},
                                         Malformed{"negative_seed", "AMPPROF_RECORD_SEED", "-1"},
                                         Malformed{"reference", "AMPPROF_RECORD_REFERENCE", "fp16"},
                                         Malformed{"flag", "AMPPROF_RECORD_IMPACT", "yes"}),
                         [](const auto& info) { return info.param.name; });

TEST(RecordingOptions, AFlagNamesItsVariable) {
  EXPECT_EQ(flag_of(&Options::impact_bytes), "--impact-memory");
  EXPECT_EQ(variable_of("--impact-memory", "AMPPROF_"), "AMPPROF_IMPACT_MEMORY");
  Options options = usual();
  options.impact_bytes = 7;
  EXPECT_EQ(variables_of(options).back(), (Variables::value_type{"AMPPROF_RECORD_IMPACT_MEMORY", "7"}));
}

TEST(RecordingOptions, NamesItsReferences) {
  for (const std::string& name : reference_names()) EXPECT_EQ(name_of(reference_named(name).value()), name);
  EXPECT_FALSE(reference_named("fp16"));
}

TEST(RecordingOptions, ListsHaveNoEmptyParts) {
  EXPECT_EQ(parts_of(",a,,b,"), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(parts_of(""), std::vector<std::string>{});
}

TEST(RecordingOptions, GoDeepInEveryNthOfTheRecordedSteps) {
  Options options;
  options.first_step = 3;
  options.every = 2;
  options.deep_every = 4;
  for (const std::int64_t step : {3, 11, 19}) EXPECT_TRUE(options.is_sampled(step)) << step;
  for (const std::int64_t step : {5, 7, 9, 13}) EXPECT_FALSE(options.is_sampled(step)) << step;
}

TEST(RecordingOptions, CheckTheFirstRecordedStepAndEveryNthAfterIt) {
  Options options;
  EXPECT_FALSE(options.checks(1)) << "unless it was asked for";
  options.check_ranks = 3;
  for (const std::int64_t step : {1, 4, 7}) EXPECT_TRUE(options.checks(step)) << step;
  for (const std::int64_t step : {2, 3, 5, 6}) EXPECT_FALSE(options.checks(step)) << step;
  options.first_step = 10;
  options.every = 2;
  for (const std::int64_t step : {10, 16, 22}) EXPECT_TRUE(options.checks(step)) << step;
  for (const std::int64_t step : {12, 14, 18, 20}) EXPECT_FALSE(options.checks(step)) << step;
}

TEST(RecordingOptions, GoDeepBeforeTheFirstStepAndFromItOn) {
  Options options;
  options.deep_every = 4;
  for (const std::int64_t step : {0, 1, 5, 9}) EXPECT_TRUE(options.is_sampled(step)) << step;
  for (const std::int64_t step : {2, 3, 4, 6}) EXPECT_FALSE(options.is_sampled(step)) << step;
}

TEST(RecordingOptions, RecordEveryStepUnlessToldOtherwise) {
  for (const std::int64_t step : {0, 1, 2, 1000000}) EXPECT_TRUE(Options{}.records(step, 0)) << step;
}

TEST(RecordingOptions, StepsAreInclusiveAndEveryCountsFromTheFirst) {
  Options options;
  options.first_step = 3;
  options.last_step = 9;
  options.every = 2;
  std::string recorded;
  for (int step = 0; step <= 11; ++step) {
    if (options.records(step, 0)) recorded += std::to_string(step) + " ";
  }
  EXPECT_EQ(recorded, "3 5 7 9 ");
}

TEST(RecordingOptions, EveryThirdStepBeginsWithTheFirst) {
  const auto recorded = [](const Options& options) {
    std::string steps;
    for (int step = 1; step <= 12; ++step) steps += options.records(step, 0) ? std::to_string(step) + " " : "";
    return steps;
  };
  Options options;
  options.every = 3;
  EXPECT_EQ(recorded(options), "1 4 7 10 ") << "steps count from 1";
  EXPECT_TRUE(options.records(0, 0)) << "what comes before the first step";
  options.first_step = 5;
  EXPECT_EQ(recorded(options), "5 8 11 ");
}

TEST(RecordingOptions, TheDelayComesBeforeTheDuration) {
  Options options;
  options.delay = 1.5;
  options.duration = 2;
  EXPECT_FALSE(options.records(1, 1'499'999'999));
  EXPECT_TRUE(options.records(1, 1'500'000'000));
  EXPECT_TRUE(options.records(1, 3'500'000'000));
  EXPECT_FALSE(options.records(1, 3'500'000'001));
}

}  // namespace options_test
}  // namespace ampprof::recording
