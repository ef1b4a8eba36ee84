// SPDX-License-Identifier: Apache-2.0
#include "profiler/gpu/clock_log.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace ampprof::profiler {
namespace clock_log_test {

TEST(ClockLog, IsEmptyWithoutReadings) { EXPECT_TRUE(ClockLog().clocks().empty()); }

TEST(ClockLog, AddsUpReadingsOfEachDevice) {
  ClockLog log;
  log.add(1, {.sm_mhz = 900, .memory_mhz = 1000, .held_back_by = 0});
  log.add(0, {.sm_mhz = 1980, .memory_mhz = 2619, .held_back_by = 0x1});
  log.add(0, {.sm_mhz = 1410, .memory_mhz = 2619, .held_back_by = 0x44});
  log.add(0, {.sm_mhz = 1965, .memory_mhz = 2619, .held_back_by = 0x4});
  const auto clocks = log.clocks();
  ASSERT_EQ(clocks.size(), 2u);
  EXPECT_EQ(clocks[0], (DeviceClocks{.device = 0,
                                     .name = "",
                                     .readings = 3,
                                     .sm_mhz_lowest = 1410,
                                     .sm_mhz = 1965,
                                     .sm_mhz_highest = 1980,
                                     .memory_mhz = 2619,
                                     .held_back_by = {{"power cap", 2}, {"hardware thermal slowdown", 1}}}))
      << "that a GPU is idle holds nothing back";
  EXPECT_EQ(clocks[1].sm_mhz, 900);
}

TEST(ClockLog, TakesTheLowerOfTwoMiddleReadings) {
  ClockLog log;
  for (const std::int64_t mhz : {4, 1, 3, 2}) log.add(0, {.sm_mhz = mhz, .memory_mhz = 0, .held_back_by = 0});
  EXPECT_EQ(log.clocks().at(0).sm_mhz, 2);
}

TEST(WithClocks, AddsToTheSettings) {
  EXPECT_EQ(with_clocks(R"({"threads":2})", {}), R"({"threads":2})");
  const auto settings = nlohmann::json::parse(with_clocks(
      R"({"threads":2})", {{.device = 0, .name = "H\xff", .readings = 1, .sm_mhz = 7, .held_back_by = {}}}));
  EXPECT_EQ(settings.at("threads"), 2);
  EXPECT_EQ(settings.at("gpus").at(0).at("sm_mhz"), 7);
  EXPECT_TRUE(settings.at("gpus").at(0).at("held_back_by").is_object()) << "also where there is none";
  EXPECT_EQ(with_clocks(R"({"threads":2})", {{.device = 1, .name = "\u00e9\xff", .held_back_by = {{"power cap", 3}}}}),
            "{\"gpus\":[{\"device\":1,\"held_back_by\":{\"power cap\":3},\"memory_mhz\":0,\"name\":\"\u00e9\uFFFD\","
            "\"readings\":0,\"sm_mhz\":0,\"sm_mhz_highest\":0,\"sm_mhz_lowest\":0}],\"threads\":2}");
}

}  // namespace clock_log_test
}  // namespace ampprof::profiler
