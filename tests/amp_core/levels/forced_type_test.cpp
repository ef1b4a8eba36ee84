// SPDX-License-Identifier: Apache-2.0
#include "amp_core/levels/forced_type.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace amp {
namespace forced_type_test {

class ForcedType : public testing::Test {
 protected:
  ~ForcedType() override { unsetenv("AMP_TYPE"); }
  static void say(const char* type) { setenv("AMP_TYPE", type, 1); }
};

TEST_F(ForcedType, IsWhatTheEnvironmentNames) {
  unsetenv("AMP_TYPE");
  EXPECT_EQ(forced_type(), std::nullopt);
  say("");
  EXPECT_EQ(forced_type(), std::nullopt);
  say("bf16");
  EXPECT_EQ(forced_type(), ReducedType::BFloat16);
  say("fp16");
  EXPECT_EQ(forced_type(), ReducedType::Float16);
}

TEST_F(ForcedType, IsRefusedWhereThereIsNone) {
  say("half");
  try {
    forced_type();
    FAIL() << "half is not the name of a type";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "AMP_TYPE is \"half\". It must be one of fp16, bf16.");
  }
}

TEST(WithReducedType, ChangesWhatTheLevelComputesIn) {
  const auto with = [](std::string_view level) { return with_reduced_type({}, level, ReducedType::BFloat16); };
  EXPECT_EQ(with("O1").patch_torch_functions_type, ReducedType::BFloat16);
  EXPECT_EQ(with("O1").cast_model_type, std::nullopt);
  EXPECT_EQ(with("O2").cast_model_type, ModelType(ReducedType::BFloat16));
  EXPECT_EQ(with("O3").cast_model_type, ModelType(ReducedType::BFloat16));
  EXPECT_EQ(with("O3").patch_torch_functions_type, std::nullopt);
  EXPECT_EQ(with("O0").cast_model_type, std::nullopt);
  EXPECT_EQ(with("O0").patch_torch_functions_type, std::nullopt);
}

TEST(WithReducedType, GivesOptionsThatEveryLevelTakes) {
  for (const std::string& level : level_names()) {
    Options options = with_reduced_type({.opt_level = level}, level, ReducedType::BFloat16);
    const Properties properties = resolve(options);
    EXPECT_EQ(properties.needs_no_loss_scale(), level != "O0") << level;
  }
}

TEST(ForcedInitScale, IsTheNumberOfItsVariable) {
  EXPECT_EQ(forced_init_scale(), std::nullopt);
  setenv("AMP_INIT_SCALE", "1024", 1);
  EXPECT_EQ(forced_init_scale(), 1024.0);
  setenv("AMP_INIT_SCALE", "low", 1);
  EXPECT_THROW(forced_init_scale(), Error);
  unsetenv("AMP_INIT_SCALE");
}

}  // namespace forced_type_test
}  // namespace amp
