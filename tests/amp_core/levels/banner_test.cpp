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

TEST(Banner, IsThatOfApexWordForWord) {
  const std::string rows =
      "enabled                : True\n"
      "opt_level              : O1\n"
      "cast_model_type        : None\n"
      "patch_torch_functions  : True\n"
      "keep_batchnorm_fp32    : None\n"
      "master_weights         : None\n"
      "loss_scale             : dynamic\n";
  EXPECT_EQ(
      banner(resolve({.opt_level = "O1"})),
      "Selected optimization level O1:  Casts at function calls: FP16 where it is fast and safe, FP32 where it is "
      "not. The model stays FP32.\n\nDefaults for this optimization level are:\n" +
          rows + "Processing user overrides (additional kwargs that are not None)...\n" +
          "After processing overrides, optimization options are:\n" + rows);
}

TEST(Banner, NamesATypeThatIsNotReduced) {
  const std::string full = banner(resolve({.opt_level = "O2", .cast_model_type = ModelType::Float32}));
  EXPECT_NE(full.find("cast_model_type        : torch.float32\n"), std::string::npos) << full;
  const std::string unchanged = banner(resolve({.opt_level = "O2", .cast_model_type = ModelType::Unchanged}));
  EXPECT_NE(unchanged.find("cast_model_type        : False\n"), std::string::npos) << unchanged;
}

TEST(Banner, HasARowForEachChangedSettingOfADynamicScale) {
  const std::string text = banner(resolve({.opt_level = "O2",
                                           .min_loss_scale = 0.5,
                                           .max_loss_scale = 4096.0,
                                           .init_scale = 1024.0,
                                           .growth_factor = 4.0,
                                           .backoff_factor = 0.25,
                                           .growth_interval = 5,
                                           .hysteresis = 2}));
  const char* const rows =
      "min_loss_scale         : 0.5\n"
      "max_loss_scale         : 4096.0\n"
      "init_scale             : 1024.0\n"
      "growth_factor          : 4.0\n"
      "backoff_factor         : 0.25\n"
      "growth_interval        : 5\n"
      "hysteresis             : 2\n";
  EXPECT_TRUE(text.ends_with(rows)) << text;
}

TEST(Banner, HasFurtherRowsAlsoOfAStaticScale) {
  const std::string text = banner(resolve({.cast_list = "native", .loss_scale = 8.0}));
  EXPECT_TRUE(text.ends_with("loss_scale             : 8.0\ncast_list              : native\n")) << text;
}

TEST(Settings, OfADisabledEngineAreOnlyThat) {
  Properties off = resolve({.opt_level = "O2"});
  off.enabled = false;
  EXPECT_EQ(settings_of(off), (std::vector<std::pair<std::string, std::string>>{{"enabled", "False"}}));
  const auto on = settings_of(resolve({.cast_list = "native"}));
  ASSERT_EQ(on.size(), 10U);
  EXPECT_EQ(on[1], std::pair(std::string("opt_level"), std::string("O1")));
  EXPECT_EQ(on[7], std::pair(std::string("patch_torch_functions_type"), std::string("torch.float16")));
  EXPECT_EQ(on[8], std::pair(std::string("cast_list"), std::string("native")));
  EXPECT_EQ(on[9], std::pair(std::string("cast_model_outputs"), std::string("None")));
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
