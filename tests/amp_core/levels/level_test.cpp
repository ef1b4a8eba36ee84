// SPDX-License-Identifier: Apache-2.0
#include "amp_core/levels/level.h"

#include <gtest/gtest.h>

#include "amp_core/levels/error.h"

namespace amp {
namespace level_test {

using Names = std::vector<std::string>;

TEST(Levels, AreFourInTheirOrder) {
  ASSERT_EQ(levels().size(), 4U);
  for (const Level& level : levels()) EXPECT_EQ(&level_of(level.level), &level);
  EXPECT_EQ(level_names(), (Names{"O0", "O1", "O2", "O3"}));
}

TEST(Levels, AreFoundByWhatTheyDo) {
  EXPECT_EQ(level_names(&Level::has_half_model), (Names{"O2", "O3"}));
  EXPECT_EQ(level_names(&Level::is_fp32), (Names{"O0"}));
  EXPECT_EQ(level_that_patches(), "O1");
}

TEST(Levels, AnUnknownNameIsAnsweredWithThoseThereAre) {
  EXPECT_EQ(find_level("O4"), nullptr);
  try {
    opt_level_from("O4");
    FAIL() << "O4 does not exist";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "Unexpected optimization level \"O4\". The levels are O0, O1, O2 and O3; the prefix is the letter O, "
                 "not the number zero.");
  }
}

TEST(Levels, AreDistinguishedByName) {
  struct {
    const char* name;
    bool is_fp32, patches, has_half_model;
  } const cases[]{{"O0", true, false, false}, {"O1", false, true, false},  {"O2", false, false, true},
                  {"O3", false, false, true}, {"O4", false, false, false}, {"", false, false, false}};
  for (const auto& level : cases) {
    EXPECT_EQ(is_fp32_level(level.name), level.is_fp32) << level.name;
    EXPECT_EQ(patches_functions(level.name), level.patches) << level.name;
    EXPECT_EQ(has_half_model(level.name), level.has_half_model) << level.name;
    EXPECT_EQ(needs_amp_core(level.name), level.has_half_model) << level.name;
  }
}

}  // namespace level_test
}  // namespace amp
