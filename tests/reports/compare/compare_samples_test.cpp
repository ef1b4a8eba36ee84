// SPDX-License-Identifier: Apache-2.0
#include "reports/compare/compare_samples.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace ampprof::compare {
namespace compare_samples_test {

using Sample = std::vector<double>;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Case {
  const char* name;
  Sample a;
  Sample b;
  Repeatability figures;
  bool deterministic;
  std::optional<Verdict> verdict;
  std::optional<Basis> basis;
};

void PrintTo(const Case& one, std::ostream* out) { *out << one.name; }

class CompareSamples : public testing::TestWithParam<Case> {};

TEST_P(CompareSamples, SaysNoMoreThanItKnows) {
  const Case& one = GetParam();
  RankTest test;
  const Compared compared = compare_samples(one.a, one.b, one.figures, {.deterministic = one.deterministic}, test);
  EXPECT_EQ(compared.verdict, one.verdict);
  EXPECT_EQ(compared.basis, one.basis);
}

constexpr auto kNoisy = Repeatability::Noisy;
constexpr auto kReproducible = Repeatability::Reproducible;

INSTANTIATE_TEST_SUITE_P(
    Table, CompareSamples,
    testing::Values(
        Case{"one_time_each", {1}, {9}, kNoisy, false, Verdict::CannotTell, Basis::NoRepeats},
        Case{"equal_times", {1}, {1}, kNoisy, true, Verdict::CannotTell, Basis::NoRepeats},
        Case{"one_time_against_many", {1}, {2, 3, 4, 5}, kNoisy, false, Verdict::CannotTell, Basis::NoRepeats},
        Case{"many_times_against_one", {2, 3, 4, 5}, {1}, kNoisy, false, Verdict::CannotTell, Basis::NoRepeats},
        Case{"few_times", {1, 2, 3}, {7, 8, 9}, kNoisy, false, Verdict::CannotTell, Basis::TooFewRepeats},
        Case{"times_apart", {1, 2, 3, 4}, {6, 7, 8, 9}, kNoisy, false, Verdict::Differs, Basis::RankTest},
        Case{"times_mixed", {1, 3, 5, 7}, {2, 4, 6, 8}, kNoisy, false, Verdict::Same, Basis::RankTest},
        Case{"one_error_each", {1}, {2}, kReproducible, false, Verdict::CannotTell, Basis::NoRepeats},
        Case{"equal_errors", {1}, {1}, kReproducible, false, Verdict::Same, Basis::Equal},
        Case{"deterministic_errors", {1}, {2}, kReproducible, true, Verdict::Differs, Basis::Deterministic},
        Case{"repeated_errors", {1, 1}, {2, 2}, kReproducible, false, Verdict::Differs, Basis::RepeatsAgree},
        Case{"repeated_equal_errors", {1, 1}, {1, 1}, kReproducible, false, Verdict::Same, Basis::RepeatsAgree},
        Case{"errors_that_vary", {1, 2}, {3, 4}, kReproducible, true, Verdict::CannotTell, Basis::TooFewRepeats},
        Case{"only_the_first_agree", {1, 1}, {1, 2}, kReproducible, true, Verdict::CannotTell, Basis::TooFewRepeats},
        Case{"only_the_second_agree", {1, 2}, {1, 1}, kReproducible, true, Verdict::CannotTell, Basis::TooFewRepeats},
        Case{"one_error_against_others", {1}, {1, 2}, kReproducible, false, Verdict::CannotTell, Basis::NoRepeats},
        Case{"nothing_on_one_side", {}, {1, 2}, kNoisy, false, std::nullopt, std::nullopt},
        Case{"nan_against_numbers", {kNan, kNan}, {1, 1}, kReproducible, false, Verdict::Differs, Basis::RepeatsAgree},
        Case{"nan_on_both_sides", {kNan}, {kNan}, kReproducible, false, Verdict::Same, Basis::Equal}),
    [](const auto& info) { return info.param.name; });

TEST(CompareSamples, DifferAtTheLargestPThatIsAllowed) {
  RankTest test;
  const Sample a{1, 2, 3, 4};
  const Sample b{6, 7, 8, 9};
  const double p = *compare_samples(a, b, kNoisy, {}, test).p;
  EXPECT_EQ(compare_samples(a, b, kNoisy, {.alpha = p}, test).verdict, Verdict::Differs);
  EXPECT_EQ(compare_samples(a, b, kNoisy, {.alpha = p * 0.999}, test).verdict, Verdict::CannotTell)
      << "no test says so";
}

TEST(Compared, HoldsMedians) {
  RankTest test;
  const Compared compared = compare_samples({9, 1, 2}, {4, 1, 3, 100}, Repeatability::Noisy, {}, test);
  EXPECT_EQ(compared.a, 2.0);
  EXPECT_EQ(compared.b, 3.5);
  EXPECT_TRUE(compared.p.has_value());
}

TEST(Compared, HoldsNanWhereARepeatIs) {
  RankTest test;
  const Compared compared = compare_samples({9, kNan, 2}, {4, 1}, Repeatability::Noisy, {}, test);
  ASSERT_TRUE(compared.a.has_value());
  EXPECT_TRUE(std::isnan(*compared.a));
  EXPECT_EQ(compared.b, 2.5);
}

TEST(Compared, MeasuresChangeInPowersOfTwo) {
  const auto change = [](double a, double b) { return Compared{.a = a, .b = b}.change(); };
  EXPECT_EQ(change(1, 8), 3);
  EXPECT_EQ(change(8, 1), 3);
  EXPECT_EQ(change(-2, -8), 2);
  EXPECT_EQ(change(0, 0), 0);
  EXPECT_EQ(change(0, 4), kInfinity);
  EXPECT_EQ(change(1, kNan), kInfinity);
  EXPECT_EQ(change(kNan, kNan), 0);
  EXPECT_EQ(change(-1, 1), kInfinity);
  EXPECT_EQ(Compared{.a = 1.0}.change(), 0);
}

TEST(Compared, SaysItsVerdictInWords) {
  EXPECT_EQ(name_of(Verdict::Same), "no_difference");
  EXPECT_EQ(name_of(Verdict::Differs), "differs");
  EXPECT_EQ(name_of(Verdict::CannotTell), "cannot_tell");
  EXPECT_EQ(name_of(Basis::RankTest), "rank_test");
  EXPECT_EQ(name_of(Basis::RepeatsAgree), "repeats_agree");
  EXPECT_EQ(name_of(Basis::Equal), "equal");
  EXPECT_EQ(name_of(Basis::Deterministic), "deterministic");
  EXPECT_EQ(name_of(Basis::TooFewRepeats), "too_few_repeats");
  EXPECT_EQ(name_of(Basis::NoRepeats), "no_repeats");
}

}  // namespace compare_samples_test
}  // namespace ampprof::compare
