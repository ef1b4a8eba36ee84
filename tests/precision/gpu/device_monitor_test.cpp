// SPDX-License-Identifier: Apache-2.0
#include "precision/gpu/device_monitor.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/built_file.h"

namespace ampprof::gpu {
namespace device_monitor_test {

struct Monitor : testing::Test {
  ~Monitor() override { unsetenv("AMPPROF_NVML"); }
};

TEST_F(Monitor, FindsADeviceByItsPlaceOnTheBus) {
  setenv("AMPPROF_NVML", test_support::built_file(FAKE_NVML_LIBRARY).c_str(), 1);
  DeviceMonitor monitor;
  EXPECT_EQ(monitor.name(0), "Stand-in GPU 0");
  EXPECT_EQ(monitor.name(1), "Stand-in GPU 1");
  EXPECT_EQ(monitor.clocks(0), (ClockReading{.sm_mhz = 1980, .memory_mhz = 2619, .held_back_by = 4}));
  EXPECT_EQ(monitor.clocks(0), monitor.clocks(0));
}

TEST_F(Monitor, LeavesOutValuesThatTheDriverDoesNotGive) {
  setenv("AMPPROF_NVML", test_support::built_file(FAKE_NVML_LIBRARY).c_str(), 1);
  DeviceMonitor monitor;
  EXPECT_EQ(monitor.clocks(1), std::nullopt) << "no clock of its multiprocessors";
  EXPECT_EQ(monitor.name(2), "") << "unknown to NVML";
  EXPECT_EQ(monitor.clocks(2), std::nullopt);
  EXPECT_EQ(monitor.clocks(3), std::nullopt) << "no clock of its memory";
  EXPECT_EQ(monitor.clocks(4), (ClockReading{.sm_mhz = 1980, .memory_mhz = 2619})) << "no reasons";
  EXPECT_EQ(monitor.name(5), "") << "no name";
  EXPECT_EQ(monitor.name(6), "") << "no place on the bus";
  EXPECT_EQ(monitor.name(7), "") << "no such device";
}

TEST_F(Monitor, ReadsNothingFromALibraryThatIsNotADriver) {
  setenv("AMPPROF_NVML", "libm.so.6", 1);
  EXPECT_EQ(DeviceMonitor().name(0), "");
}

TEST_F(Monitor, AsksTheDriverWhereNoOtherLibraryIsNamed) {
  EXPECT_EQ(DeviceMonitor().name(-1), "") << "no driver has such a device";
  setenv("AMPPROF_NVML", "", 1);
  EXPECT_EQ(DeviceMonitor().name(-1), "");
}

TEST_F(Monitor, ReadsNothingWithoutADriver) {
  setenv("AMPPROF_NVML", "/nonexistent/libnvidia-ml.so.1", 1);
  DeviceMonitor monitor;
  EXPECT_EQ(monitor.name(0), "");
  EXPECT_EQ(monitor.clocks(0), std::nullopt);
}

}  // namespace device_monitor_test
}  // namespace ampprof::gpu
