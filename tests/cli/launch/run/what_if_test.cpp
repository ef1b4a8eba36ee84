// SPDX-License-Identifier: Apache-2.0
#include "cli/launch/run/what_if.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "cli/launch/run/prepare.h"
#include "precision/formats/recipes/recipe.h"
#include "precision/formats/recipes/recipe_file.h"
#include "tests/reports/sample_report.h"

namespace ampprof::cli {
namespace what_if_test {

using Names = std::vector<std::string>;

RunOptions asked(const std::string& what_if) {
  RunOptions options;
  options.record.what_if = what_if;
  return options;
}

Names names_of_runs(const std::string& what_if) {
  Names names;
  for (const RunStart& start : starts_of(asked(what_if), "./train")) names.push_back(start.what_if);
  return names;
}

TEST(WhatIf, RunsTheProgramOnceWithoutTheFlag) {
  EXPECT_EQ(what_ifs_of(asked("")), Names{""});
  EXPECT_EQ(names_of_runs(""), Names{""});
}

TEST(WhatIf, RunsTheProgramOnceForAllRecipes) {
  EXPECT_EQ(what_ifs_of(asked("mxfp8,nvfp4,no_hadamard,fp8_current")), Names{"mxfp8,nvfp4,no_hadamard,fp8_current"});
  EXPECT_EQ(courses_of("mxfp8,nvfp4,no_hadamard,fp8_current"), (Names{"mxfp8", "nvfp4,no_hadamard", "fp8_current"}));
  EXPECT_EQ(names_of_runs("mxfp8,fp8_current"), (Names{"mxfp8", "fp8_current"})) << "each has a run of the report";
}

TEST(WhatIf, RunsTheProgramOnceForEachType) {
  EXPECT_EQ(what_ifs_of(asked("fp16")), Names{"fp16"});
  EXPECT_EQ(what_ifs_of(asked("mxfp8,fp16,nvfp4,bf16")), (Names{"fp16", "bf16", "mxfp8,nvfp4"}));
}

TEST(WhatIf, NamesARecipeOfAFileAsItDoesItself) {
  const testing_reports::TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "mine.recipe";
  recipes::Recipe mine = recipes::recipe_from("mxfp8");
  mine.name = "mine";
  std::ofstream(file) << recipes::to_text(mine);
  EXPECT_EQ(what_ifs_of(asked(file.string() + ",nvfp4")), Names{file.string() + ",nvfp4"});
  EXPECT_EQ(names_of_runs(file.string() + ",nvfp4"), (Names{"mine", "nvfp4"}));
}

}  // namespace what_if_test
}  // namespace ampprof::cli
