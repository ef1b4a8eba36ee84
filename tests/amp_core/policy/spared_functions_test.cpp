// SPDX-License-Identifier: Apache-2.0
#include "amp_core/policy/spared_functions.h"

#include <gtest/gtest.h>

namespace amp {
namespace spared_functions_test {

constexpr int kAnyMinor = 11;

CastList spared(const char* list) { return CastList(rules_against_errors(list_named(list), kAnyMinor)); }

TEST(SparedFunctions, RunInFp32WhereTheListRefusesThem) {
  EXPECT_EQ(spared("apex").find(op_name_from("binary_cross_entropy")), CastPolicy::Fp32);
}

TEST(SparedFunctions, RunAsInAutocastWhereTheListIsTooOld) {
  EXPECT_EQ(spared("apex").find(op_name_from("huber_loss")), CastPolicy::Fp32);
  EXPECT_EQ(spared("apex").find(op_name_from("vdot")), CastPolicy::Promote);
  EXPECT_FALSE(spared("native").find(op_name_from("vdot"))) << "that list has it itself";
}

TEST(SparedFunctions, RunInFp32WhereNoKernelTakes16Bits) {
  for (const char* list : {"apex", "native"}) {
    EXPECT_EQ(spared(list).find(op_name_from("linalg_solve")), CastPolicy::Fp32);
    EXPECT_EQ(spared(list).find(op_name_from("fft_rfft")), CastPolicy::Fp32);
  }
}

TEST(SparedFunctions, LeaveTheListAloneElsewhere) {
  EXPECT_FALSE(spared("apex").find(op_name_from("linear")));
  EXPECT_FALSE(spared("apex").find(op_name_from("softmax")));
}

}  // namespace spared_functions_test
}  // namespace amp
