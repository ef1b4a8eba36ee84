// SPDX-License-Identifier: Apache-2.0
#include "amp_core/levels/banner.h"

#include <gtest/gtest.h>

namespace amp {
namespace banner_test {

TEST(Banner, ShowsDefaultsThenWhatIsInForce) {
  const std::string text = banner(resolve({.opt_level = "O2", .keep_batchnorm_fp32 = false, .loss_scale = 128.0}));
  EXPECT_EQ(text.find("Selected optimization level O2:"), 0U);
  const auto defaults = text.find("Defaults for this optimization level are:");
  const auto in_force = text.find("After processing overrides, optimization options are:");
  EXPECT_LT(text.find("keep_batchnorm_fp32    : True", defaults), in_force);
  EXPECT_LT(text.find("loss_scale             : dynamic", defaults), in_force);
  EXPECT_NE(text.find("keep_batchnorm_fp32    : False", in_force), std::string::npos);
  EXPECT_NE(text.find("loss_scale             : 128.0", in_force), std::string::npos);
  EXPECT_NE(text.find("cast_model_type        : torch.float16", in_force), std::string::npos);
}

TEST(Banner, NamesWhatAForcedLevelDropped) {
  const auto properties = resolve_forced({.opt_level = "O2", .keep_batchnorm_fp32 = true}, "O1");
  EXPECT_NE(banner(properties).find("AMP_OPT_LEVEL forces O1: keep_batchnorm_fp32"), std::string::npos);
}

TEST(Banner, HasFurtherRowsOnlyForWhatApexDoesNotHave) {
  EXPECT_EQ(banner(resolve({.opt_level = "O2"})).find("growth_interval"), std::string::npos);
  const std::string text = banner(resolve({.opt_level = "O1",
                                           .patch_torch_functions_type = ReducedType::BFloat16,
                                           .cast_list = "native",
                                           .loss_scale = "dynamic",
                                           .cast_model_outputs = ReducedType::Float16,
                                           .num_losses = 2,
                                           .growth_interval = 5}));
  const char* const rows =
      "patch_torch_functions_type : torch.bfloat16\n"
      "cast_list              : native\n"
      "cast_model_outputs     : torch.float16\n"
      "num_losses             : 2\n"
      "growth_interval        : 5\n";
  EXPECT_TRUE(text.ends_with(rows)) << text;
}

TEST(Banner, TheSkipMessageIsTheOneThatPeopleSearchFor) {
  EXPECT_EQ(skip_message(0, 32768), "Gradient overflow.  Skipping step, loss scaler 0 reducing loss scale to 32768.0");
  EXPECT_EQ(skip_message(2, 0.0625), "Gradient overflow.  Skipping step, loss scaler 2 reducing loss scale to 0.0625");
}

}  // namespace banner_test
}  // namespace amp
