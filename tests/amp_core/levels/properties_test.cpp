// SPDX-License-Identifier: Apache-2.0
#include "amp_core/levels/properties.h"

#include <gtest/gtest.h>

#include <limits>

namespace amp {
namespace properties_test {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

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
                                         Default{"O2", ReducedType::Float16, false, true, true, "dynamic"},
                                         Default{"O3", ReducedType::Float16, false, false, false, 1.0}),
                         [](const auto& info) { return info.param.level; });

struct Combination {
  const char* name;
  Options options;
  const char* complaint;  ///< a word of the error message; "" if the combination is valid
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
  if (!expected.ends_with("O1")) return;  // the message is not about a level
  const Properties properties = resolve_forced(options, options.opt_level);
  ASSERT_EQ(properties.dropped_overrides.size(), 1U);
  EXPECT_NE(properties.dropped_overrides.front().find(expected), std::string::npos);
  Properties defaults = defaults_of(opt_level_from(options.opt_level));
  defaults.dropped_overrides = properties.dropped_overrides;
  EXPECT_EQ(properties, defaults) << "what is dropped changes nothing";
}

INSTANTIATE_TEST_SUITE_P(
    Properties, Combinations,
    testing::Values(
        Combination{"half_model_at_o1", {.opt_level = "O1", .cast_model_type = ReducedType::Float16}, "at O1"},
        Combination{"bfloat_model_at_o1", {.opt_level = "O1", .cast_model_type = ReducedType::BFloat16}, "at O1"},
        Combination{"float_model_at_o1", {.opt_level = "O1", .cast_model_type = ModelType::Float32}, ""},
        Combination{"uncast_model_at_o1", {.opt_level = "O1", .cast_model_type = ModelType::Unchanged}, ""},
        Combination{"uncast_model_at_o2", {.opt_level = "O2", .cast_model_type = ModelType::Unchanged}, ""},
        Combination{"half_model_at_o0", {.opt_level = "O0", .cast_model_type = ReducedType::Float16}, ""},
        Combination{"bfloat_model_at_o2", {.opt_level = "O2", .cast_model_type = ReducedType::BFloat16}, ""},
        Combination{"patching_at_o0", {.opt_level = "O0", .patch_torch_functions = true}, "works at O1"},
        Combination{"patching_at_o2", {.opt_level = "O2", .patch_torch_functions = true}, "works at O1"},
        Combination{"patching_at_o3", {.opt_level = "O3", .patch_torch_functions = true}, "works at O1"},
        Combination{"no_patching_at_o1", {.opt_level = "O1", .patch_torch_functions = false}, ""},
        Combination{"no_patching_at_o3", {.opt_level = "O3", .patch_torch_functions = false}, ""},
        Combination{"bfloat_casts_at_o1", {.opt_level = "O1", .patch_torch_functions_type = ReducedType::BFloat16}, ""},
        Combination{"bfloat_casts_at_o2",
                    {.opt_level = "O2", .patch_torch_functions_type = ReducedType::BFloat16},
                    "it needs O1"},
        Combination{"cast_type_without_casts",
                    {.patch_torch_functions = false, .patch_torch_functions_type = ReducedType::Float16},
                    "patch_torch_functions_type controls"},
        Combination{"native_list_at_o1", {.opt_level = "O1", .cast_list = "native"}, ""},
        Combination{"apex_list_at_o0", {.opt_level = "O0", .cast_list = "apex"}, "it needs O1"},
        Combination{"list_without_casts", {.patch_torch_functions = false, .cast_list = "apex"}, "cast_list controls"},
        Combination{"unknown_list", {.cast_list = "jax"}, "\"apex\" and \"native\""},
        Combination{"recipe_at_o0", {.opt_level = "O0", .recipe = "mxfp8"}, ""},
        Combination{"recipe_at_o1", {.opt_level = "O1", .recipe = "nvfp4,nearest"}, ""},
        Combination{"recipe_at_o2", {.opt_level = "O2", .recipe = "mxfp8"}, "does not work at O2"},
        Combination{"recipe_at_o3", {.opt_level = "O3", .recipe = "mxfp8"}, "does not work at O3"},
        Combination{"batchnorm_at_o0", {.opt_level = "O0", .keep_batchnorm_fp32 = true}, ""},
        Combination{"no_batchnorm_at_o0", {.opt_level = "O0", .keep_batchnorm_fp32 = false}, ""},
        Combination{"batchnorm_at_o1", {.opt_level = "O1", .keep_batchnorm_fp32 = true}, "apply to O1"},
        Combination{"no_batchnorm_at_o1", {.opt_level = "O1", .keep_batchnorm_fp32 = false}, "apply to O1"},
        Combination{"batchnorm_at_o3", {.opt_level = "O3", .keep_batchnorm_fp32 = "True"}, ""},
        Combination{"batchnorm_of_a_float_model",
                    {.opt_level = "O2", .cast_model_type = ModelType::Float32, .keep_batchnorm_fp32 = true},
                    "applies to a half model"},
        Combination{"masters_at_o0", {.opt_level = "O0", .master_weights = true}, ""},
        Combination{"masters_at_o1", {.opt_level = "O1", .master_weights = true}, "apply to O1"},
        Combination{"no_masters_at_o1", {.opt_level = "O1", .master_weights = false}, "apply to O1"},
        Combination{"masters_at_o3", {.opt_level = "O3", .master_weights = true}, ""},
        Combination{"no_masters_at_o2", {.opt_level = "O2", .master_weights = false}, ""},
        Combination{"masters_of_a_float_model",
                    {.opt_level = "O2", .cast_model_type = ModelType::Float32, .master_weights = true},
                    "applies to a half model"},
        Combination{"no_masters_of_a_float_model",
                    {.opt_level = "O2", .cast_model_type = ModelType::Float32, .master_weights = false},
                    ""},
        Combination{"scale_at_o0", {.opt_level = "O0", .loss_scale = 128.0}, ""},
        Combination{"dynamic_at_o3", {.opt_level = "O3", .loss_scale = "dynamic"}, ""},
        Combination{"zero_for_the_letter", {.opt_level = "02"}, "letter O"},
        Combination{"unknown_level", {.opt_level = "O4"}, "O0, O1, O2 and O3"},
        Combination{"small_letter", {.opt_level = "o1"}, "O0, O1, O2 and O3"},
        Combination{"no_level", {.opt_level = ""}, "O0, O1, O2 and O3"},
        Combination{"no_losses", {.num_losses = 0}, "num_losses"},
        Combination{"negative_losses", {.num_losses = -1}, "num_losses"},
        Combination{"no_verbosity", {.verbosity = 0}, ""},
        Combination{"negative_verbosity", {.verbosity = -1}, "verbosity"},
        Combination{"limits_crossed", {.min_loss_scale = 8.0, .max_loss_scale = 4.0}, "min_loss_scale"},
        Combination{"limits_meet", {.min_loss_scale = 8.0, .max_loss_scale = 8.0}, ""},
        Combination{"negative_minimum", {.min_loss_scale = -1.0}, "min_loss_scale is -1.0"},
        Combination{"zero_maximum", {.max_loss_scale = 0.0}, "max_loss_scale is 0.0"},
        Combination{"infinite_maximum", {.max_loss_scale = kInfinity}, "max_loss_scale is inf"},
        Combination{"nan_minimum", {.min_loss_scale = kNan}, "min_loss_scale is nan"},
        Combination{"maximum_beyond_fp32", {.max_loss_scale = 1e39}, "FP32 cannot hold"},
        Combination{"static_over_the_maximum", {.loss_scale = 128.0, .max_loss_scale = 64.0}, "lies outside"},
        Combination{"static_under_the_minimum", {.loss_scale = 1.0, .min_loss_scale = 64.0}, "lies outside"},
        Combination{"static_over_the_usual_maximum", {.loss_scale = 33554432.0}, ""},
        Combination{"limits_of_a_levels_own_scale", {.opt_level = "O0", .min_loss_scale = 64.0}, ""},
        Combination{"initial_scale", {.init_scale = 1024.0}, ""},
        Combination{"initial_scale_of_a_static", {.loss_scale = 8.0, .init_scale = 8.0}, "static here (8.0)"},
        Combination{"initial_scale_at_o0", {.opt_level = "O0", .init_scale = 8.0}, "static here (1.0)"},
        Combination{"initial_scale_in_bfloat",
                    {.patch_torch_functions_type = ReducedType::BFloat16, .init_scale = 8.0},
                    "static here (1.0)"},
        Combination{"initial_scale_at_dynamic_o0", {.opt_level = "O0", .loss_scale = "dynamic", .init_scale = 8.0}, ""},
        Combination{"initial_scale_over_the_maximum", {.max_loss_scale = 4.0, .init_scale = 8.0}, "init_scale is 8.0"},
        Combination{"negative_initial_scale", {.init_scale = -8.0}, "init_scale is -8.0"},
        Combination{"nan_initial_scale", {.init_scale = kNan}, "init_scale is nan"},
        Combination{"growth_that_shrinks", {.growth_factor = 0.5}, "growth_factor"},
        Combination{"no_growth", {.growth_factor = 1.0}, "growth_factor"},
        Combination{"infinite_growth", {.growth_factor = kInfinity}, "growth_factor"},
        Combination{"nan_growth", {.growth_factor = kNan}, "growth_factor"},
        Combination{"growth_of_a_static", {.opt_level = "O3", .growth_factor = 4.0}, "growth_factor is a setting"},
        Combination{"backoff_that_grows", {.backoff_factor = 2.0}, "backoff_factor"},
        Combination{"backoff_to_zero", {.backoff_factor = 0.0}, "backoff_factor"},
        Combination{"nan_backoff", {.backoff_factor = kNan}, "backoff_factor"},
        Combination{"backoff_of_a_static", {.loss_scale = 4.0, .backoff_factor = 0.25}, "backoff_factor is a setting"},
        Combination{"no_interval", {.growth_interval = 0}, "growth_interval"},
        Combination{"interval_of_a_static", {.loss_scale = 4.0, .growth_interval = 5}, "growth_interval is a setting"},
        Combination{"no_hysteresis", {.hysteresis = 0}, "hysteresis"},
        Combination{"hysteresis_of_a_static", {.loss_scale = 4.0, .hysteresis = 2}, "hysteresis is a setting"}),
    [](const auto& info) { return info.param.name; });

TEST(LossScale, ReadsWhatAnApexScriptWrites) {
  EXPECT_TRUE(LossScale("dynamic").is_dynamic());
  EXPECT_EQ(LossScale("128.0").fixed, 128.0);
  EXPECT_THROW(LossScale("Dynamic"), Error);
  EXPECT_THROW(LossScale(""), Error);
  for (const double scale : {-1.0, 0.0, 1e39, kInfinity, -kInfinity, kNan}) EXPECT_THROW(LossScale{scale}, Error);
  for (const char* text : {"nan", "inf", "1e400", "12x", "-4", "0"}) EXPECT_THROW(LossScale{text}, Error) << text;
}

TEST(Switch, ReadsWhatAnApexScriptWrites) {
  EXPECT_TRUE(Switch("True").on);
  EXPECT_FALSE(Switch("False").on);
  for (const char* text : {"true", "1", ""}) EXPECT_THROW(Switch{text}, Error) << text;
}

TEST(Properties, BFloat16NeedsNoLossScaleUnlessTheProgramWantsOne) {
  EXPECT_EQ(resolve({.opt_level = "O2", .cast_model_type = ReducedType::BFloat16}).loss_scale, LossScale(1.0));
  EXPECT_EQ(resolve({.patch_torch_functions_type = ReducedType::BFloat16}).loss_scale, LossScale(1.0));
  EXPECT_TRUE(
      resolve({.opt_level = "O2", .cast_model_type = ReducedType::BFloat16, .loss_scale = "dynamic"}).scaler.dynamic);
}

TEST(Properties, AForcedLevelDropsWhatItCannotHave) {
  const Properties properties = resolve_forced({.opt_level = "O1", .cast_list = "native", .init_scale = 8.0}, "O0");
  EXPECT_EQ(properties.dropped_overrides.size(), 2U);
  EXPECT_EQ(properties.scaler.initial, 1.0);
  EXPECT_EQ(properties.cast_list, "apex");
}

TEST(Properties, AForcedLevelReplacesTheProgramsOwn) {
  const Properties properties = resolve_forced({.opt_level = "O1", .loss_scale = 128.0, .num_losses = 3}, "O2");
  EXPECT_EQ(properties.opt_level, OptLevel::O2);
  EXPECT_EQ(properties.loss_scale, LossScale(128.0));
  EXPECT_EQ(properties.num_losses, 3);
  EXPECT_TRUE(properties.dropped_overrides.empty());
  EXPECT_THROW(resolve_forced({}, "O9"), Error);
}

}  // namespace properties_test
}  // namespace amp
