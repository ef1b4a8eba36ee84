// SPDX-License-Identifier: Apache-2.0
#include "profiler/gpu/recording.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "tests/built_file.h"

namespace ampprof::profiler {
namespace recording_test {

/// Records with the fake CUPTI, where each pushed id launches two kernels.
struct Recording : testing::Test {
  void open(const char* how) {
    setenv("AMPPROF_CUPTI", test_support::built_file(FAKE_CUPTI_LIBRARY).c_str(), 1);
    setenv("FAKE_CUPTI", how, 1);
    opened_ =
        GpuRecording::open({.now_ns = [] { return std::int64_t{0}; }, .thread_of = [](std::uint32_t) { return 3; }});
  }
  ~Recording() override {
    if (opened_.recording) (void)opened_.recording->finish(batch_);
    unsetenv("AMPPROF_CUPTI");
    unsetenv("FAKE_CUPTI");
    unsetenv("AMPPROF_NVML");
  }

  void launch(const LaunchedBy& by) { const LaunchScope scope(opened_.recording.get(), by); }

  GpuRecording::Opened opened_;
  Batch batch_;
};

TEST_F(Recording, GivesTheWorkOfEachOpCall) {
  open("");
  ASSERT_NE(opened_.recording, nullptr);
  launch({4, 11});
  launch({5, 12});
  const GpuRecording::Totals totals = opened_.recording->finish(batch_);
  ASSERT_FALSE(batch_.activities.empty());
  std::set<std::int64_t> sites;
  std::int64_t ns = 0;
  for (const GpuActivity& activity : batch_.activities) {
    sites.insert(activity.call_site);
    EXPECT_EQ(activity.segment, activity.call_site - 7);
    EXPECT_EQ(activity.thread, 3);
    EXPECT_TRUE(
        std::ranges::any_of(batch_.activity_names, [&](const InternedText& name) { return name.id == activity.name; }));
    ns += activity.duration_ns;
  }
  EXPECT_EQ(sites, (std::set<std::int64_t>{11, 12}));
  EXPECT_GT(totals.busy_ns, 0);
  EXPECT_LE(totals.busy_ns, ns);
  EXPECT_EQ(totals.overhead_ns, 0);
}

TEST_F(Recording, TellsTheClocksOfTheDevicesThatWorked) {
  setenv("AMPPROF_NVML", test_support::built_file(FAKE_NVML_LIBRARY).c_str(), 1);
  open("");
  launch({4, 11});
  const auto clocks = opened_.recording->finish(batch_).clocks;
  ASSERT_EQ(clocks.size(), 1u);
  EXPECT_EQ(clocks[0].device, batch_.activities.at(0).device);
  EXPECT_EQ(clocks[0].name, "Stand-in GPU " + std::to_string(clocks[0].device));
  EXPECT_EQ(clocks[0].readings, 1);
  EXPECT_EQ(clocks[0].sm_mhz, 1980);
}

TEST_F(Recording, TellsNoClocksWithoutADriver) {
  setenv("AMPPROF_NVML", "/nonexistent", 1);
  open("");
  launch({4, 11});
  EXPECT_TRUE(opened_.recording->finish(batch_).clocks.empty());
}

TEST_F(Recording, LeavesOutWhatAmpprofLaunches) {
  open("");
  launch({4, 11});
  const LaunchScope op(opened_.recording.get(), {4, 12});
  launch(LaunchedBy::ampprof());
  const GpuRecording::Totals totals = opened_.recording->finish(batch_);
  for (const GpuActivity& activity : batch_.activities) EXPECT_NE(activity.call_site, LaunchedBy::ampprof().call_site);
  EXPECT_GT(totals.overhead_ns, 0);
}

TEST_F(Recording, CountsAmpprofsTimeWhereTheProgramDidNothing) {
  open("at_once");
  launch({4, 11});                // 2 us
  launch(LaunchedBy::ampprof());  // runs in the same 2 us, and 2 us longer
  const GpuRecording::Totals totals = opened_.recording->finish(batch_);
  EXPECT_EQ(totals.busy_ns, 2'000);
  EXPECT_EQ(totals.overhead_ns, 2'000);
}

TEST_F(Recording, GivesEachNameOnce) {
  open("");
  launch({4, 11});
  opened_.recording->collect(batch_);
  EXPECT_FALSE(batch_.activities.empty()) << "as soon as it is asked for";
  launch({4, 12});
  (void)opened_.recording->finish(batch_);
  std::set<std::int64_t> ids;
  for (const InternedText& name : batch_.activity_names) EXPECT_TRUE(ids.insert(name.id).second) << name.text;
  EXPECT_EQ(*ids.begin(), 1);
  opened_.recording->collect(batch_);
  EXPECT_EQ(ids.size(), batch_.activity_names.size()) << "nothing comes after finish()";
}

TEST_F(Recording, IsNoneWhereAnotherToolHasCupti) {
  open("held");
  EXPECT_EQ(opened_.recording, nullptr);
  ASSERT_EQ(opened_.missing.size(), 1u);
  EXPECT_NE(opened_.missing[0].cause.find("serves one tool"), std::string::npos) << opened_.missing[0].cause;
  launch({1, 1});  // launches nothing
}

TEST(NoGpu, IsNothingToSpeakOf) {
  unsetenv("AMPPROF_CUPTI");
  const auto opened =
      GpuRecording::open({.now_ns = [] { return std::int64_t{0}; }, .thread_of = [](std::uint32_t) { return 0; }});
  if (opened.recording) GTEST_SKIP() << "this machine has a GPU";
  EXPECT_TRUE(opened.missing.empty() || opened.missing[0].cause.find("driver") == std::string::npos)
      << opened.missing[0].cause;
}

}  // namespace recording_test
}  // namespace ampprof::profiler
