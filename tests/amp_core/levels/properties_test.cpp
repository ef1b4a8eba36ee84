// SPDX-License-Identifier: Apache-2.0
#include "amp_core/levels/properties.h"

#include <gtest/gtest.h>

namespace amp {
namespace {

struct Default {
  const char* level;
  std::optional<ModelType> cast_model_type;
  bool patch_torch_functions;
  std::optional<bool> keep_batchnorm_fp32;
  std::optional<bool> master_weights;
  LossScale loss_scale;
};

void PrintTo(const Default& expected, std::ostream* out) { *out << expected.level; }

class LevelDefaults : public testing::TestWithParam<Default> {};

TEST_P(LevelDefaults, AreThoseOfApex) {
  const Properties properties = resolve({.opt_level = GetParam().level});
  EXPECT_EQ(name_of(properties.opt_level), GetParam().level);
  EXPECT_EQ(properties.cast_model_type, GetParam().cast_model_type);
  EXPECT_EQ(properties.patch_torch_functions, GetParam().patch_torch_functions);
  EXPECT_EQ(properties.keep_batchnorm_fp32, GetParam().keep_batchnorm_fp32);
  EXPECT_EQ(properties.master_weights, GetParam().master_weights);
  EXPECT_EQ(properties.loss_scale, GetParam().loss_scale);
}

INSTANTIATE_TEST_SUITE_P(Properties, LevelDefaults,
                         testing::Values(Default{"O0", ModelType::Float32, false, {}, false, 1.0},
                                         Default{"O1", {}, true, {}, {}, "dynamic"},
                                         Default{"O2", ModelType::Float16, false, true, true, "dynamic"},
                                         Default{"O3", ModelType::Float16, false, false, false, 1.0}),
                         [](const auto& info) { return info.param.level; });

struct Combination {
  const char* name;
  Options options;
  const char* complaint;  ///< a word of it; "" where the combination is fine
};

void PrintTo(const Combination& combination, std::ostream* out) { *out << combination.name; }

std::string complaint_about(const Options& options) {
  try {
    resolve(options);
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

class Combinations : public testing::TestWithParam<Combination> {};

TEST_P(Combinations, AreAcceptedOrRefusedWithAReason) {
  const std::string complaint = complaint_about(GetParam().options);
  const std::string expected = GetParam().complaint;
  EXPECT_EQ(complaint.empty(), expected.empty()) << complaint;
  EXPECT_NE(complaint.find(expected), std::string::npos) << complaint;
}

TEST_P(Combinations, AreDroppedAndListedWhereTheLevelIsForced) {
  const Options& options = GetParam().options;
  const std::string expected = GetParam().complaint;
  if (!expected.ends_with("O1")) return;  // not about a level
  const Properties properties = resolve_forced(options, options.opt_level);
  ASSERT_EQ(properties.dropped_overrides.size(), 1U);
  EXPECT_NE(properties.dropped_overrides.front().find(expected), std::string::npos);
  Properties defaults = defaults_of(opt_level_from(options.opt_level));
  defaults.dropped_overrides = properties.dropped_overrides;
  EXPECT_EQ(properties, defaults);
}

INSTANTIATE_TEST_SUITE_P(
    Properties, Combinations,
    testing::Values(
        Combination{"half_model_at_o1", {.opt_level = "O1", .cast_model_type = ModelType::Float16}, "with O1"},
        Combination{"float_model_at_o1", {.opt_level = "O1", .cast_model_type = ModelType::Float32}, ""},
        Combination{"uncast_model_at_o1", {.opt_level = "O1", .cast_model_type = ModelType::Unchanged}, ""},
        Combination{"uncast_model_at_o2", {.opt_level = "O2", .cast_model_type = ModelType::Unchanged}, ""},
        Combination{"patching_at_o0", {.opt_level = "O0", .patch_torch_functions = true}, "goes with O1"},
        Combination{"patching_at_o2", {.opt_level = "O2", .patch_torch_functions = true}, "goes with O1"},
        Combination{"no_patching_at_o1", {.opt_level = "O1", .patch_torch_functions = false}, ""},
        Combination{"no_patching_at_o3", {.opt_level = "O3", .patch_torch_functions = false}, ""},
        Combination{"batchnorm_at_o1", {.opt_level = "O1", .keep_batchnorm_fp32 = true}, "apply to O1"},
        Combination{"no_batchnorm_at_o1", {.opt_level = "O1", .keep_batchnorm_fp32 = false}, "apply to O1"},
        Combination{"batchnorm_at_o3", {.opt_level = "O3", .keep_batchnorm_fp32 = true}, ""},
        Combination{"masters_at_o1", {.opt_level = "O1", .master_weights = true}, "apply to O1"},
        Combination{"no_masters_at_o1", {.opt_level = "O1", .master_weights = false}, "apply to O1"},
        Combination{"masters_at_o3", {.opt_level = "O3", .master_weights = true}, ""},
        Combination{"scale_at_o0", {.opt_level = "O0", .loss_scale = 128.0}, ""},
        Combination{"dynamic_at_o3", {.opt_level = "O3", .loss_scale = "dynamic"}, ""},
        Combination{"zero_for_the_letter", {.opt_level = "02"}, "letter O"},
        Combination{"unknown_level", {.opt_level = "O4"}, "O0, O1, O2 and O3"},
        Combination{"no_losses", {.num_losses = 0}, "num_losses"},
        Combination{"limits_crossed", {.min_loss_scale = 8.0, .max_loss_scale = 4.0}, "min_loss_scale"}),
    [](const auto& info) { return info.param.name; });

TEST(LossScale, ReadsWhatAnApexScriptWrites) {
  EXPECT_TRUE(LossScale("dynamic").is_dynamic());
  EXPECT_EQ(LossScale("128.0").fixed, 128.0);
  EXPECT_THROW(LossScale("Dynamic"), Error);
  EXPECT_THROW(LossScale(""), Error);
  EXPECT_THROW(LossScale(-1.0), Error);
}

TEST(Properties, AForcedLevelReplacesTheProgramsOwn) {
  const Properties properties = resolve_forced({.opt_level = "O1", .loss_scale = 128.0, .num_losses = 3}, "O2");
  EXPECT_EQ(properties.opt_level, OptLevel::O2);
  EXPECT_EQ(properties.loss_scale, LossScale(128.0));
  EXPECT_EQ(properties.num_losses, 3);
  EXPECT_TRUE(properties.dropped_overrides.empty());
  EXPECT_THROW(resolve_forced({}, "O9"), Error);
}

}  // namespace
}  // namespace amp
