// SPDX-License-Identifier: Apache-2.0
#include "amp_core/casts/cast_list.h"

#include <gtest/gtest.h>

#include "amp_core/casts/apex_list.h"
#include "amp_core/levels/properties.h"

namespace amp {

void PrintTo(CastPolicy policy, std::ostream* out) { *out << "policy " << static_cast<int>(policy); }

namespace {

struct Lookup {
  const char* name;
  const char* op;
  CastPolicy expected;
};

void PrintTo(const Lookup& lookup, std::ostream* out) { *out << lookup.op; }

class ApexList : public testing::TestWithParam<Lookup> {};

TEST_P(ApexList, GivesAnOpItsPolicy) {
  EXPECT_EQ(CastList(kApexList).policy_of(op_name_from(GetParam().op)), GetParam().expected);
}

INSTANTIATE_TEST_SUITE_P(CastList, ApexList,
                         testing::Values(Lookup{"bare", "mm", CastPolicy::Low},
                                         Lookup{"overload", "conv2d.padding", CastPolicy::Low},
                                         Lookup{"out", "mm.out", CastPolicy::Pass},
                                         Lookup{"dtype_out", "mm.dtype_out", CastPolicy::Pass},
                                         Lookup{"fp32", "softmax.int", CastPolicy::Fp32},
                                         Lookup{"promote", "add.Tensor", CastPolicy::Promote},
                                         Lookup{"fp16_in_place", "addmm_", CastPolicy::MatchSelf},
                                         Lookup{"promote_in_place", "add_.Tensor", CastPolicy::MatchSelf},
                                         Lookup{"fp32_in_place", "exp_", CastPolicy::RefuseLow},
                                         Lookup{"fp32_in_place_overload", "pow_.Scalar", CastPolicy::RefuseLow},
                                         Lookup{"banned", "binary_cross_entropy", CastPolicy::Banned},
                                         Lookup{"unlisted", "batch_norm", CastPolicy::Pass},
                                         Lookup{"unlisted_in_place", "relu_", CastPolicy::Pass},
                                         Lookup{"prefix_is_not_enough", "exp2", CastPolicy::Pass}),
                         [](const auto& info) { return info.param.name; });

TEST(CastList, AnOverloadWinsOverTheBareName) {
  const CastList list("pow fp32\npow.Scalar fp16  # a comment\n\n");
  EXPECT_EQ(list.policy_of({"pow", "Scalar"}), CastPolicy::Low);
  EXPECT_EQ(list.policy_of({"pow", "Tensor_Tensor"}), CastPolicy::Fp32);
}

TEST(CastList, LaterLinesWin) { EXPECT_EQ(CastList("mm fp16\nmm fp32").policy_of({"mm", ""}), CastPolicy::Fp32); }

TEST(CastList, NamesTheLineThatIsWrong) {
  for (const char* text : {"mm fp16\nbmm half", "mm fp16\nbmm", "mm fp16\nbmm fp16 fp32"}) {
    try {
      const CastList list(text);
      FAIL() << text;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("cast list:2:"), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace amp
