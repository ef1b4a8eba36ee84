// SPDX-License-Identifier: Apache-2.0
#include "profiler/overflow/nonfinite_cause.h"

#include <gtest/gtest.h>

#include <ostream>
#include <string>

namespace ampprof::profiler {
namespace nonfinite_cause_test {

using enum NonfiniteCause;

constexpr ErrorStats kSame{.count = 1};
constexpr ErrorStats kInfinite{.excluded = 1, .infinite = 1};

struct Case {
  const char* name;
  NonfiniteFacts facts;
  NonfiniteCause cause;
};

void PrintTo(const Case& one, std::ostream* out) { *out << one.name; }

class CauseOfNonfinite : public testing::TestWithParam<Case> {};

TEST_P(CauseOfNonfinite, IsWhatTheFactsLeave) { EXPECT_EQ(cause_of(GetParam().facts), GetParam().cause); }

INSTANTIATE_TEST_SUITE_P(
    Facts, CauseOfNonfinite,
    testing::Values(
        Case{"half_overflows", {"mm", DType::Half, &kInfinite, 98304}, TooLarge},
        Case{"an_intermediate_overflows", {"norm", DType::Half, &kInfinite, 300}, Unknown},
        Case{"float_overflows", {"exp", DType::Float, nullptr, 0, false, false, false}, TooLarge},
        Case{"fp32_overflows_too", {"exp", DType::Half, &kSame, 0, false, false, false}, TooLarge},
        Case{"program_writes_inf", {"fill_.Scalar", DType::Float, nullptr, 0, false, false, false}, Unknown},
        Case{"float_makes_nan", {"acos", DType::Float, nullptr, 0, false, false, true}, Unknown},
        Case{"divides_by_zero", {"div_.Tensor", DType::Half, &kSame, 0, false, true, false}, DivisionByZero},
        Case{"zero_by_zero_in_float", {"addcdiv_", DType::Float, nullptr, 0, false, true, true}, DivisionByZero},
        Case{"divides_by_little", {"div.Tensor", DType::Float, nullptr, 0, false, false, false}, TooLarge},
        Case{"nobody_looked_at_float", {"div.Tensor", DType::Float}, Unknown},
        Case{"log_of_zero", {"log", DType::Float, nullptr, 0, false, true, false}, LogOfZero},
        Case{"root", {"sqrt", DType::Half, &kSame, 1, false, false, true}, RootOfNegative},
        Case{"softmax_of_a_mask", {"softmax.int", DType::Half, &kSame, 0, true, false, true}, AllMasked},
        Case{"mask_minus_mask", {"sub.Tensor", DType::Half, &kSame, 0, true, false, true}, InfMinusInf},
        Case{"mask_times_zero", {"mul.Tensor", DType::Half, &kSame, 0, true, true, true}, ZeroTimesInf}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(NonfiniteCause, NamesOfOpsAreReadWithoutOverloadAndPlace) {
  EXPECT_EQ(family_of("div_.Tensor"), "div");
  EXPECT_EQ(family_of("log"), "log");
  EXPECT_EQ(outcome_of("_foreach_clamp_max_.Scalar"), NonfiniteOutcome::Clamped);
  EXPECT_EQ(outcome_of("clamp_"), NonfiniteOutcome::Clamped);
  EXPECT_EQ(outcome_of("nan_to_num"), NonfiniteOutcome::Clamped);
  EXPECT_EQ(outcome_of("softmax.int"), NonfiniteOutcome::Masked);
  EXPECT_TRUE(overwrites_unread("copy_"));
  EXPECT_FALSE(overwrites_unread("mul_.Tensor"));
  EXPECT_TRUE(writes_number("masked_fill_.Scalar"));
  EXPECT_FALSE(writes_number("clamp"));
}

}  // namespace nonfinite_cause_test
}  // namespace ampprof::profiler
