// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <unistd.h>

#include "cli/launch/program/arguments.h"
#include "cli/launch/run/progress.h"
#include "reports/recording/options.h"
#include "reports/text/elide.h"
#include "reports/text/shell_text.h"
#include "reports/text/usage_error.h"

namespace ampprof::cli {
namespace run_arguments_test {

TEST(Steps, AreARangeWithBothEnds) {
  EXPECT_EQ(steps_from("3:10"), (StepRange{3, 10}));
  EXPECT_EQ(steps_from("3:"), (StepRange{3, std::nullopt}));
  EXPECT_EQ(steps_from(":10"), (StepRange{1, 10}));
}

TEST(Levels, KeepTheirOrderAndIgnoreCase) { EXPECT_EQ(levels_from("o2,O0"), (std::vector<std::string>{"O2", "O0"})); }

TEST(Sizes, TakeDecimalAndBinaryPrefixes) {
  EXPECT_EQ(size_from("--max-report", "4096"), 4096);
  EXPECT_EQ(size_from("--max-report", "500M"), 500'000'000);
  EXPECT_EQ(size_from("--max-report", "1.5kB"), 1500);
  EXPECT_EQ(size_from("--max-report", "2GiB"), std::int64_t{2} << 30);
}

TEST(Times, AreInSecondsMinutesOrHours) {
  EXPECT_EQ(seconds_from("--budget", "90"), 90);
  EXPECT_EQ(seconds_from("--budget", "90s"), 90);
  EXPECT_EQ(seconds_from("--budget", "30m"), 1800);
  EXPECT_EQ(seconds_from("--budget", "1.5h"), 5400);
  EXPECT_EQ(seconds_from("--timeout", "250ms"), 0.25);
  EXPECT_EQ(seconds_from("--delay", "0", /*may_be_zero=*/true), 0);
  EXPECT_EQ(seconds_from("--delay", "1e-05"), 1e-5) << "as Python writes it";
}

TEST(Inputs, AreATypeAndAShape) {
  EXPECT_EQ(input_from("f32[8,3,32,32]"), (InputSpec{"f32", {8, 3, 32, 32}}));
  EXPECT_EQ(input_from("i64[]"), (InputSpec{"i64", {}}));
}

TEST(RecordRanks, AreHandedOnAsTheyAre) {
  for (const char* text : {"0", "0,1,8:16:4", "all"}) EXPECT_EQ(record_ranks_from(text), text);
}

TEST(Overhead, IsAShareOrOff) {
  EXPECT_DOUBLE_EQ(overhead_from("2.5%"), 0.025);
  EXPECT_EQ(overhead_from("off"), recording::kEverything);
}

TEST(Remedies, AreWordsWithTheirNumbers) {
  const std::vector<std::string> words{"init_scale=1024", "eps=1e-4", "master_weights", "fp32_module=decoder.0"};
  EXPECT_EQ(remedies_from("init_scale=1024,eps=1e-4,master_weights,fp32_module=decoder.0"), words);
  EXPECT_EQ(number_of_remedy(words, "eps"), "1e-4");
  EXPECT_EQ(number_of_remedy(words, "loss_scale"), "");
}

struct Refused {
  const char* name;
  void (*parse)(std::string_view);
  const char* text;
  const char* says;  // part of the error message
};

void PrintTo(const Refused& refused, std::ostream* out) { *out << refused.name << " '" << refused.text << '\''; }

class RefusedArgument : public testing::TestWithParam<Refused> {};

TEST_P(RefusedArgument, GetsASentence) {
  try {
    GetParam().parse(GetParam().text);
    FAIL() << "accepted";
  } catch (const text::UsageError& error) {
    EXPECT_NE(std::string(error.what()).find(GetParam().says), std::string::npos) << error.what();
  }
}

constexpr auto kSteps = [](std::string_view text) { steps_from(text); };
constexpr auto kLevels = [](std::string_view text) { levels_from(text); };
constexpr auto kSeconds = [](std::string_view text) { seconds_from("--budget", text); };
constexpr auto kSize = [](std::string_view text) { size_from("--impact-memory", text); };
constexpr auto kOverhead = [](std::string_view text) { overhead_from(text); };
constexpr auto kRanks = [](std::string_view text) { record_ranks_from(text); };
constexpr auto kRemedies = [](std::string_view text) { remedies_from(text); };
constexpr auto kInput = [](std::string_view text) { input_from(text); };

INSTANTIATE_TEST_SUITE_P(
    Arguments, RefusedArgument,
    testing::Values(
        Refused{"unknown_remedy", kRemedies, "eps=1e-4,masters", "unknown remedy 'masters'"},
        Refused{"remedy_without_number", kRemedies, "init_scale", "'init_scale' does not have the form init_scale=N"},
        Refused{"remedy_without_module", kRemedies, "fp32_module=", "does not have the form fp32_module=MODULE"},
        Refused{"remedy_with_number", kRemedies, "master_weights=2", "does not have the form master_weights"},
        Refused{"remedy_with_other_number", kRemedies, "eps=-1", "'eps=-1' does not have the form eps=N"},
        Refused{"one_step", kSteps, "3", "--steps 10:20"}, Refused{"no_step", kSteps, ":", "A:B"},
        Refused{"steps_backwards", kSteps, "9:3", "A:B"}, Refused{"words", kSteps, "a:b", "A:B"},
        Refused{"unknown_level", kLevels, "O4", "'O4' is not an opt level"},
        Refused{"zero_for_the_letter", kLevels, "00", "letter O"}, Refused{"empty_level", kLevels, "O1,", "'' is not"},
        Refused{"level_twice", kLevels, "O1,o1", "--repeat"}, Refused{"size_without_number", kSize, "M", "500M"},
        Refused{"size_of_nothing", kSize, "0", "500M"},
        Refused{"size_by_its_flag", kSize, "many", "--impact-memory: invalid size 'many'"},
        Refused{"size_with_unknown_unit", kSize, "5 apples", "500M"},
        Refused{"size_beyond_measure", kSize, "99999999T", "500M"},
        Refused{"time_without_number", kSeconds, "m", "--budget: invalid duration 'm'"},
        Refused{"no_time", kSeconds, "0s", "90s or 30m"}, Refused{"time_in_days", kSeconds, "3d", "90s or 30m"},
        Refused{"negative_time", kSeconds, "-3", "90s or 30m"},
        Refused{"overhead_without_sign", kOverhead, "5", "as in 5%, or off"},
        Refused{"no_overhead", kOverhead, "0%", "as in 5%, or off"},
        Refused{"ranks_in_words", kRanks, "0,first", "'first' names no rank"},
        Refused{"ranks_of_an_empty_slice", kRanks, "8:8", "STOP is excluded"},
        Refused{"ranks_without_a_step", kRanks, "0:4:0", "'0:4:0' names no rank"},
        Refused{"no_ranks", kRanks, "", "0,1,8:16:4"}, Refused{"input_without_shape", kInput, "f32", "no shape"},
        Refused{"input_of_unknown_type", kInput, "f31[2]", "unknown type 'f31'"},
        Refused{"input_with_a_hole", kInput, "f32[2,,3]", "not a whole number"},
        Refused{"input_of_negative_size", kInput, "f32[-1]", "not a whole number"},
        Refused{"input_without_end", kInput, "f32[2", "no shape"},
        Refused{"input_too_large", kInput, "f32[9999999,9999999]", "larger than any memory"}),
    [](const auto& info) { return info.param.name; });

TEST(ShellText, QuotesWhatAShellWouldRead) {
  EXPECT_EQ(text::shell_text({"./train", "--lr=0.1", "a b", "it's", ""}), R"(./train --lr=0.1 'a b' 'it'\''s' '')");
}

TEST(ReportName, KnowsProcessAndRank) {
  ASSERT_EQ(setenv("OMPI_COMM_WORLD_RANK", "4", 1), 0);
  EXPECT_EQ(expanded_report_name("r%r"), "r4") << "of mpirun";
  ASSERT_EQ(setenv("RANK", "3", 1), 0);
  EXPECT_EQ(expanded_report_name("r%r-%p%%"), "r3-" + std::to_string(getpid()) + "%") << "of torchrun";
  EXPECT_EQ(expanded_report_name("100%x%"), "100%x%") << "other text stays";
}

TEST(ProgressLine, TellsRateAndTimeLeft) {
  EXPECT_EQ(progress_line({.label = "O1", .step = 60, .total = 120, .seconds = 2, .since = 10}, 100),
            "O1  [############------------] 60/120 steps  25 steps/s  0:02 left");
}

TEST(ProgressLine, PromisesNothingItDoesNotKnow) {
  EXPECT_EQ(progress_line({.label = "O1", .step = 0, .total = 120}, 80), "O1  starting");
  EXPECT_EQ(progress_line({.label = "O1", .step = 7, .total = std::nullopt, .seconds = 0, .since = 7}, 80),
            "O1  step 7");
  EXPECT_EQ(progress_line({.label = "O1", .step = 130, .total = 120, .seconds = 1, .since = 30}, 80),
            "O1  [########################] 130/120 steps  100 steps/s")
      << "more steps than expected: no remaining time is shown";
}

TEST(ProgressLine, TellsTheTimeWhereTheReportCannotBeLookedAt) {
  EXPECT_EQ(running_line("O1", 42.2, 80), "O1  running for 0:42");
}

TEST(ProgressLine, FitsTheTerminal) {
  EXPECT_LE(
      text::display_width(progress_line({.label = "O1", .step = 60, .total = 120, .seconds = 2, .since = 10}, 40)), 40);
}

}  // namespace run_arguments_test
}  // namespace ampprof::cli
