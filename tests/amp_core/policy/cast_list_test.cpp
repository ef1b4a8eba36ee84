// SPDX-License-Identifier: Apache-2.0
#include "amp_core/policy/cast_list.h"

#include <gtest/gtest.h>

#include <sstream>

#include "amp_core/levels/properties.h"
#include "amp_core/policy/apex_list.h"
#include "amp_core/policy/function_names.h"

namespace amp {

void PrintTo(CastPolicy policy, std::ostream* out) { *out << "policy " << static_cast<int>(policy); }

namespace cast_list_test {

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

/// Functions of Apex's lists, by Apex's names. Left out are functions that are not one call to the dispatcher:
/// local_response_norm and multilabel_soft_margin_loss, whose parts are cast one by one, and Tensor.cpu().
struct ApexFunctions {
  const char* name;
  CastPolicy expected;
  const char* functions;
};

void PrintTo(const ApexFunctions& functions, std::ostream* out) { *out << functions.name; }

class ApexFunctionLists : public testing::TestWithParam<ApexFunctions> {};

TEST_P(ApexFunctionLists, AreOurs) {
  const CastList list(kApexList);
  std::istringstream functions(GetParam().functions);
  for (std::string function; functions >> function;) {
    for (const std::string& op : operators_of(function)) {
      EXPECT_EQ(list.policy_of(op_name_from(op)), GetParam().expected) << function << ", operator " << op;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    CastList, ApexFunctionLists,
    testing::Values(
        ApexFunctions{"fp16", CastPolicy::Low,
                      "conv1d conv2d conv3d conv_transpose1d conv_transpose2d conv_transpose3d conv_tbc linear prelu "
                      "addmm addmv addr matmul mm mv addbmm baddbmm bmm rnn_relu rnn_tanh gru lstm rnn_relu_cell "
                      "rnn_tanh_cell gru_cell lstm_cell"},
        ApexFunctions{
            "fp32_functional", CastPolicy::Fp32,
            "interpolate grid_sample softplus softmin log_softmax softmax gelu layer_norm group_norm normalize "
            "cosine_similarity poisson_nll_loss cosine_embedding_loss cross_entropy hinge_embedding_loss kl_div "
            "l1_loss mse_loss margin_ranking_loss multilabel_margin_loss multi_margin_loss nll_loss "
            "binary_cross_entropy_with_logits smooth_l1_loss soft_margin_loss triplet_margin_loss ctc_loss"},
        ApexFunctions{
            "fp32_torch", CastPolicy::Fp32,
            "acos asin cosh erfinv exp expm1 log log10 log2 reciprocal rsqrt sinh tan pow cumprod cumsum dist "
            "norm prod std sum var renorm"},
        ApexFunctions{
            "promote", CastPolicy::Promote,
            "addcdiv addcmul atan2 cross bilinear dot add div mul sub rsub eq equal ge gt le lt ne cat stack"},
        ApexFunctions{"banned", CastPolicy::Banned, "binary_cross_entropy"},
        ApexFunctions{
            "neither", CastPolicy::Pass,
            "batch_norm instance_norm relu dropout max_pool2d avg_pool2d mean embedding einsum sigmoid tanh"}),
    [](const auto& info) { return info.param.name; });

TEST(CastList, AnOverloadWinsOverTheBareName) {
  const CastList list("pow fp32\npow.Scalar fp16  # a comment\n\n");
  EXPECT_EQ(list.policy_of({"pow", "Scalar"}), CastPolicy::Low);
  EXPECT_EQ(list.policy_of({"pow", "Tensor_Tensor"}), CastPolicy::Fp32);
}

TEST(CastList, KnowsAnOpByItsFullNameToo) {
  const CastList list({{"aten::mm", CastPolicy::Low}});
  EXPECT_EQ(list.policy_of({"mm", ""}), CastPolicy::Low);
  EXPECT_EQ(list.names(), std::vector<std::string>{"mm"});
}

TEST(CastList, GivesWhatHoldsInModulesStrongestFirst) {
  const CastList list("mm fp32 in a\nmm fp16 in b\nmm.out banned in c\nmm promote");
  const std::vector<ModulePolicy> expected{{"b", CastPolicy::Low}, {"a", CastPolicy::Fp32}};
  EXPECT_EQ(list.inside({"mm", ""}), expected);
  EXPECT_EQ(list.policy_of({"mm", ""}), CastPolicy::Promote);
  EXPECT_EQ(list.inside({"mm", "out"}), (std::vector<ModulePolicy>{{"c", CastPolicy::Banned}}));
  EXPECT_EQ(list.names(), (std::vector<std::string>{"mm", "mm.out"}));
}

TEST(CastList, HasTwoThatComeWithTheEngine) {
  EXPECT_TRUE(list_named("apex").casts_in_place);
  EXPECT_FALSE(list_named("native").casts_in_place);
  EXPECT_THROW(list_named("torch"), Error);
}

TEST(CastList, OfLibTorchsOwnAutocastIsThatOfTheVersion) {
  const NamedList& native = list_named("native");
  EXPECT_EQ(native.for_torch(14).find({"rms_norm", ""}), std::nullopt);
  EXPECT_EQ(native.for_torch(15).find({"rms_norm", ""}), CastPolicy::Fp32);
  EXPECT_EQ(native.for_torch(14).find({"norm", "names_ScalarOpt_dim"}), CastPolicy::Fp32Output);
  EXPECT_EQ(native.for_torch(15).find({"norm", "names_ScalarOpt_dim"}), std::nullopt);
  EXPECT_EQ(native.for_torch(14).find({"layer_norm", ""}), CastPolicy::Fp32);
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

}  // namespace cast_list_test
}  // namespace amp
