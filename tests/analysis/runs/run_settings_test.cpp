// SPDX-License-Identifier: Apache-2.0
#include "analysis/runs/run_settings.h"

#include <gtest/gtest.h>

namespace ampprof::analysis {
namespace run_settings_test {

TEST(RunSettings, AreOffWhereTheyAreNotRecordedAsOn) {
  EXPECT_TRUE(RunSettings(R"({"deterministic":true})").is_on("deterministic"));
  for (const char* json : {R"({"deterministic":false})", R"({"deterministic":1})", R"({"other":true})", "[true]",
                           "true", "\"deterministic\"", "{", ""}) {
    EXPECT_FALSE(RunSettings(json).is_on("deterministic")) << json;
  }
}

TEST(RunSettings, NameTheRecipes) {
  EXPECT_EQ(RunSettings(R"({"recipes":"nvfp4"})").recipes(), "nvfp4");
  for (const char* json : {R"({"recipes":1})", "{}", "[]", ""}) EXPECT_EQ(RunSettings(json).recipes(), "") << json;
}

TEST(GpuClocks, AreThoseOfTheFirstGpu) {
  const auto clocks = RunSettings(R"({"gpus":[{"sm_mhz":1500,"sm_mhz_lowest":900,"sm_mhz_highest":1980,)"
                                  R"("held_back_by":{"idle":3,"power cap":7,"slowdown":7,"heat":"9"}},{"sm_mhz":1}]})")
                          .gpu_clocks();
  ASSERT_TRUE(clocks);
  EXPECT_EQ(clocks->sm_mhz, 1500);
  EXPECT_EQ(clocks->lowest, 900);
  EXPECT_EQ(clocks->highest, 1980);
  EXPECT_EQ(clocks->held_back_by, "power cap") << "the first of those at most readings";
}

TEST(GpuClocks, AreKnownWithTheMedianAlone) {
  const auto clocks = RunSettings(R"({"gpus":[{"sm_mhz":1,"sm_mhz_lowest":"900","held_back_by":[]}]})").gpu_clocks();
  ASSERT_TRUE(clocks);
  EXPECT_EQ(clocks->lowest, 0);
  EXPECT_EQ(clocks->highest, 0);
  EXPECT_EQ(clocks->held_back_by, "");
  EXPECT_EQ(RunSettings(R"({"gpus":[{"sm_mhz":9,"held_back_by":{"idle":0}}]})").gpu_clocks()->held_back_by, "");
  EXPECT_EQ(RunSettings(R"({"gpus":[{"sm_mhz":9,"held_back_by":{"idle":1}}]})").gpu_clocks()->held_back_by, "idle");
}

TEST(GpuClocks, AreAbsentUnlessTheyWereRead) {
  for (const char* json :
       {"", "[]", "{}", R"({"gpus":{}})", R"({"gpus":[]})", R"({"gpus":[1]})", R"({"gpus":[{}]})",
        R"({"gpus":[{"sm_mhz":0}]})", R"({"gpus":[{"sm_mhz":-5}]})", R"({"gpus":[{"sm_mhz":1.5}]})"}) {
    EXPECT_FALSE(RunSettings(json).gpu_clocks()) << json;
  }
}

}  // namespace run_settings_test
}  // namespace ampprof::analysis
