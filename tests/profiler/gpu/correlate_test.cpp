// SPDX-License-Identifier: Apache-2.0
#include "profiler/gpu/correlate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <tuple>

#include "profiler/gpu/launched_by.h"

namespace ampprof::profiler {
namespace correlate_test {

constexpr std::uint64_t kNow = 1'000'000;  // CUPTI's clock at time 0 of the recorder's clock
constexpr CuptiClock kClock{.cupti = kNow, .recorder = 0};
constexpr LaunchedBy kCall{.segment = 3, .call_site = 9};

ApiActivity api(std::uint32_t correlation, std::uint64_t start = kNow + 100, std::uint32_t thread = 11) {
  return {.start = start, .end = start + 10, .correlation = correlation, .thread = thread};
}

ExternalIdActivity id(std::uint32_t correlation, const LaunchedBy& by = kCall) { return {by.encode(), correlation}; }

DeviceExecution run(std::uint32_t correlation, std::uint64_t start = kNow + 200, std::uint64_t duration = 50) {
  return {.start = start, .end = start + duration, .device = 1, .stream = 7, .correlation = correlation};
}

KernelActivity kernel(std::uint32_t correlation, std::uint64_t start = kNow + 200, std::uint64_t duration = 50) {
  return {run(correlation, start, duration), "_Z4gemmv"};
}

class GpuCorrelator : public testing::Test {
 protected:
  void add(std::vector<Activity> activities) {
    correlator_.add({.clock = kClock, .activities = std::move(activities)});
  }
  void restart(const CorrelatorLimits& limits) { correlator_ = Correlator(needs(), limits); }
  CorrelatorNeeds needs() {
    return {.intern =
                [this](std::string_view text) {
                  texts_.emplace_back(text);
                  return static_cast<std::int32_t>(texts_.size());
                },
            .thread_of = [](std::uint32_t thread) { return static_cast<std::int32_t>(thread) + 1000; }};
  }
  const CorrelationCounts& counts() const { return correlator_.counts(); }
  /// Returns the causes of missing activity.
  std::vector<std::string> causes() const {
    std::vector<std::string> causes;
    for (const Missing& missing : missing_of(counts())) causes.push_back(missing.cause);
    return causes;
  }

  std::vector<std::string> texts_;
  Correlator correlator_{needs()};
};

TEST_F(GpuCorrelator, TellsAllOfAKernel) {
  add({id(5), api(5), kernel(5)});
  EXPECT_EQ(correlator_.take(), (std::vector<GpuActivity>{{.segment = 3,
                                                           .call_site = 9,
                                                           .start_ns = 200,
                                                           .duration_ns = 50,
                                                           .launched_ns = 100,
                                                           .name = 1,
                                                           .device = 1,
                                                           .stream = 7,
                                                           .thread = 1011}}));
  EXPECT_EQ(texts_, (std::vector<std::string>{"_Z4gemmv"}));
  EXPECT_TRUE(correlator_.finish().empty());
  EXPECT_TRUE(causes().empty());
}

TEST_F(GpuCorrelator, TakesTheClockAsItWasWhenTheWorkCame) {
  correlator_.add({.clock = {kNow, 10}, .activities = {id(5), api(5)}});
  correlator_.add({.clock = {kNow, 20}, .activities = {kernel(5)}});
  const std::vector<GpuActivity> activities = correlator_.take();
  ASSERT_EQ(activities.size(), 1U);
  EXPECT_EQ(activities[0].start_ns, 220);
  EXPECT_EQ(activities[0].launched_ns, 120) << "so that it is not launched after it begins";
}

TEST_F(GpuCorrelator, NamesCopiesAndFills) {
  add({id(5), api(5), MemcpyActivity{run(5), MemcpyKind::HostToDevice, 64}, id(6), api(6), MemsetActivity{run(6), 32},
       id(7), api(7), KernelActivity{run(7), ""}});
  const std::vector<GpuActivity> activities = correlator_.take();
  ASSERT_EQ(activities.size(), 3U);
  EXPECT_EQ(activities[0].bytes, 64);
  EXPECT_EQ(activities[0].kind, GpuActivityKind::Memcpy);
  EXPECT_EQ(activities[1].bytes, 32);
  EXPECT_EQ(activities[1].kind, GpuActivityKind::Memset);
  EXPECT_EQ(texts_, (std::vector<std::string>{"memcpy host to device", "memset", "kernel without a name"}));
}

TEST_F(GpuCorrelator, NamesEachKindOfCopy) {
  const std::vector<std::string> kinds{"",
                                       " host to device",
                                       " device to host",
                                       " host to array",
                                       " array to host",
                                       " array to array",
                                       " array to device",
                                       " device to array",
                                       " device to device",
                                       " host to host",
                                       " between devices"};
  for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
    add({MemcpyActivity{run(5, kNow + 200 + kind), static_cast<MemcpyKind>(kind), 64}});
    EXPECT_EQ(texts_.back(), "memcpy" + kinds[kind]);
  }
}

TEST_F(GpuCorrelator, WaitsForALaunchInALaterBuffer) {
  add({kernel(5)});
  EXPECT_TRUE(correlator_.take().empty());
  add({api(5)});
  EXPECT_TRUE(correlator_.take().empty());
  add({id(5)});
  ASSERT_EQ(correlator_.take().size(), 1U);
  EXPECT_EQ(counts().attributed, 1);
}

TEST_F(GpuCorrelator, WorkOutsideOfOpsIsCountedButNotMissing) {
  add({api(5), kernel(5)});
  const std::vector<GpuActivity> activities = correlator_.finish();
  ASSERT_EQ(activities.size(), 1U);
  EXPECT_EQ(activities[0].call_site, 0);
  EXPECT_EQ(activities[0].launched_ns, 100);
  EXPECT_EQ(counts().outside_ops, 1);
  EXPECT_TRUE(causes().empty());
}

TEST_F(GpuCorrelator, IdsOfOthersAreNotOurs) {
  add({ExternalIdActivity{kCall.encode(), 5, 3}, ExternalIdActivity{77, 5, 4}, api(5), kernel(5)});
  ASSERT_EQ(correlator_.finish().size(), 1U);
  EXPECT_EQ(counts().outside_ops, 1);
}

TEST_F(GpuCorrelator, SaysWhereALaunchIsUnknown) {
  add({kernel(5), kernel(0), id(6), kernel(6, kNow + 300), id(7, {}), api(7), kernel(7, kNow + 400)});
  ASSERT_EQ(correlator_.finish().size(), 4U);
  EXPECT_EQ(counts().unknown_launch, 2);
  EXPECT_EQ(counts().unnamed_op, 1);
  EXPECT_EQ(counts().attributed, 1);
  EXPECT_EQ(counts().without_api, 1);
  EXPECT_EQ(causes(), (std::vector<std::string>{"CUPTI has no record of what launched the activity",
                                                "CUPTI has no record of the CUDA call that launched the activity"}));
}

TEST_F(GpuCorrelator, TakesWorkOfNoLengthButNoneThatLacksATime) {
  for (const auto& [start, end] : {std::pair(0, 5), std::pair(5, 0), std::pair(1, 1)}) {
    add({KernelActivity{{.start = static_cast<std::uint64_t>(start), .end = static_cast<std::uint64_t>(end)}, "k"}});
  }
  const std::vector<GpuActivity> activities = correlator_.finish();
  ASSERT_EQ(activities.size(), 1U);
  EXPECT_EQ(activities[0].duration_ns, 0);
  EXPECT_EQ(counts().no_times, 2);
  EXPECT_EQ(counts().ends_early, 0);
}

TEST_F(GpuCorrelator, LeavesOutWhatHasNoHonestTime) {
  const DeviceExecution backwards{.start = kNow + 10, .end = kNow + 9, .correlation = 5};
  add({id(5), api(5), KernelActivity{backwards, "k"}, KernelActivity{{.start = 0, .end = 0, .correlation = 5}, "k"}});
  EXPECT_TRUE(correlator_.finish().empty());
  EXPECT_EQ(counts().ends_early, 1);
  EXPECT_EQ(counts().no_times, 1);
  EXPECT_EQ(counts().left_out, 2);
  EXPECT_EQ(causes(), (std::vector<std::string>{"CUPTI had no device memory left to store them",
                                                "CUPTI's records end before they start"}));
}

TEST_F(GpuCorrelator, CountsNoRecordTwice) {
  add({id(5), api(5), kernel(5), kernel(5)});
  add({kernel(5), kernel(5, kNow + 300)});
  EXPECT_EQ(correlator_.finish().size(), 2U);
  EXPECT_EQ(counts().repeated, 2);
}

TEST_F(GpuCorrelator, AGraphsKernelsBelongToTheCallThatLaunchedIt) {
  std::vector<Activity> all{id(5), api(5)};
  for (std::uint64_t node = 1; node <= 3; ++node) {
    KernelActivity part = kernel(5);  // branches of a graph can run concurrently
    part.run.graph = 2;
    part.run.graph_node = node;
    all.emplace_back(part);
  }
  add(all);
  const std::vector<GpuActivity> activities = correlator_.take();
  ASSERT_EQ(activities.size(), 3U);
  for (const GpuActivity& each : activities) {
    EXPECT_EQ(each.call_site, 9);
    EXPECT_EQ(each.graph, 2);
  }
  EXPECT_EQ(causes(),
            (std::vector<std::string>{
                "the ops ran when the graph was captured, so its activities belong to the graph as a whole"}));
  EXPECT_EQ(counts().graph_nodes, 3);
}

TEST_F(GpuCorrelator, OfNestedApiCallsTheOuterLaunched) {
  for (const bool is_inner_first : {false, true}) {
    std::vector<Activity> calls{api(5, kNow + 100), api(5, kNow + 110)};
    if (is_inner_first) std::ranges::reverse(calls);
    restart({});
    add({id(5), calls[0], calls[1], kernel(5)});
    EXPECT_EQ(correlator_.take().at(0).launched_ns, 100);
  }
}

TEST_F(GpuCorrelator, SaysWhatCuptiLostAndWhatCouldNotBeRead) {
  correlator_.add({.clock = kClock, .activities = {}, .dropped = 17, .is_cut_short = true});
  add({UnreadActivity{.kind = 99}, UnreadActivity{.kind = 10, .is_short = true}, GraphActivity{run(1)}});
  EXPECT_EQ(counts().dropped, 17);
  EXPECT_EQ(counts().whole_graphs, 1);
  EXPECT_EQ(causes(), (std::vector<std::string>{
                          "CUPTI dropped them: its buffers were full", "CUPTI recorded each graph as a whole",
                          "they are of a kind that this build does not know",
                          "they are shorter than this build expects", "a record in them is incomplete or damaged"}));
  for (const Missing& missing : missing_of(counts())) EXPECT_FALSE(missing.remedy.empty());
}

TEST_F(GpuCorrelator, AddsUpWhatCuptiCosts) {
  add({OverheadActivity{OverheadKind::BufferFlush, 10, 30}, OverheadActivity{OverheadKind::BufferFlush, 50, 55},
       OverheadActivity{OverheadKind::Instrumentation, 60, 50}});
  EXPECT_EQ(counts().overhead_ns[static_cast<std::size_t>(OverheadKind::BufferFlush)], 25);
  EXPECT_EQ(counts().overhead_ns[static_cast<std::size_t>(OverheadKind::Instrumentation)], 0);
}

TEST_F(GpuCorrelator, KeepsThePeakOfAllMemoryPools) {
  const auto pool = [](PoolOperation operation, std::uint64_t address, std::uint64_t size) {
    return MemoryPoolActivity{operation, 0, address, size, 0};
  };
  add({pool(PoolOperation::Created, 1, 100), pool(PoolOperation::Created, 2, 50), pool(PoolOperation::Trimmed, 1, 30),
       pool(PoolOperation::Destroyed, 2, 50), pool(PoolOperation::Created, 2, 60)});
  EXPECT_EQ(counts().peak_pool_bytes, 150);
}

TEST_F(GpuCorrelator, WorkWaitsForBuffersAndTimeToPass) {
  restart({.activity_buffers = 2, .activity_ns = 1000});
  add({kernel(5)});
  add({api(8, kNow + 5000)});
  EXPECT_TRUE(correlator_.take().empty()) << "time alone is not enough";
  add({});
  EXPECT_EQ(correlator_.take().size(), 1U);
  EXPECT_EQ(counts().unknown_launch, 1);
}

TEST_F(GpuCorrelator, ALaunchIsKnownAsLongAsItIsHeardOf) {
  restart({.launch_buffers = 2, .launch_ns = 100});
  add({id(1), api(1), id(6), api(6), id(7)});
  for (std::uint64_t time = 1; time <= 5; ++time) add({kernel(1, kNow + 1000 * time)});
  EXPECT_EQ(counts().attributed, 5);
  add({kernel(6, kNow + 9000), kernel(7, kNow + 9001)});
  (void)correlator_.finish();
  EXPECT_EQ(counts().attributed, 5) << "they were forgotten, as their numbers may be others' by now";
  EXPECT_EQ(counts().unknown_launch, 2);
}

TEST_F(GpuCorrelator, ALaunchIsForgottenOnceBothBuffersAndTimeHavePassed) {
  struct {
    int buffers;
    std::uint64_t ns;
    bool is_known;
  } const cases[]{{2, 1000, false}, {2, 999, true}, {1, 1000, true}};
  for (const auto& [buffers, ns, is_known] : cases) {
    restart({.launch_buffers = 2, .launch_ns = 1000});
    add({id(6), api(6, kNow)});
    if (buffers > 1) add({});
    add({api(8, kNow + ns)});
    add({kernel(6, kNow + 5000)});
    (void)correlator_.finish();
    EXPECT_EQ(counts().attributed, is_known ? 1 : 0) << buffers << " buffers, " << ns << " ns";
  }
}

TEST_F(GpuCorrelator, WorkWaitsUntilTheTimeIsOver) {
  restart({.activity_buffers = 1, .activity_ns = 1000});
  add({kernel(5, kNow, 10)});
  add({api(8, kNow + 999)});
  EXPECT_TRUE(correlator_.take().empty());
  add({api(9, kNow + 1000)});
  EXPECT_EQ(correlator_.take().size(), 1U);
}

TEST_F(GpuCorrelator, KnowsAsManyLaunchesAsItMay) {
  restart({.most_launches = 2});
  add({id(1), api(1), id(2), api(2)});
  add({kernel(1), kernel(2, kNow + 300)});
  EXPECT_EQ(correlator_.take().size(), 2U);
  EXPECT_EQ(counts().attributed, 2);
}

TEST_F(GpuCorrelator, BoundsPendingAndKnownRecords) {
  restart({.most_activities = 10, .most_launches = 20});
  for (std::uint32_t i = 1; i <= 1000; ++i) add({kernel(i, kNow + i)});
  EXPECT_EQ(correlator_.take().size(), 990U);
  restart({.most_launches = 20});
  for (std::uint32_t i = 1; i <= 1000; ++i) add({id(i), api(i)});
  for (std::uint32_t i = 1; i <= 1000; ++i) add({kernel(i, kNow + i)});
  (void)correlator_.finish();
  EXPECT_LE(counts().attributed, 20);
}

/// Makes a random recording: launches of all kinds on two threads, split into buffers.
class RandomRecording : public GpuCorrelator, public testing::WithParamInterface<int> {
 protected:
  void SetUp() override {
    std::uint64_t time = kNow + 1000;
    for (std::uint32_t i = 1; i <= 500; ++i) {
      time += 1 + random_() % 100;
      const std::uint32_t sort = random_() % 10;
      if (sort != 0) all_.emplace_back(api(i, time, 11 + random_() % 2));
      if (sort > 2) all_.emplace_back(id(i, {.segment = i / 100, .call_site = 1 + i % 7}));
      for (auto left = random_() % 3; left > 0; --left) {
        KernelActivity activity = kernel(i, time + 1000 + 10 * left, 1 + random_() % 100);
        activity.run.stream = random_() % 3;
        all_.emplace_back(activity);
        kernel_ns_ += static_cast<std::int64_t>(activity.run.end - activity.run.start);
      }
    }
  }

  std::vector<GpuActivity> correlated() {
    restart({});
    std::vector<GpuActivity> all;
    const auto keep = [&](const std::vector<GpuActivity>& some) { all.insert(all.end(), some.begin(), some.end()); };
    for (std::size_t i = 0; i < all_.size();) {
      const std::size_t end = std::min(all_.size(), i + 1 + random_() % 400);
      add({all_.begin() + static_cast<std::ptrdiff_t>(i), all_.begin() + static_cast<std::ptrdiff_t>(end)});
      keep(correlator_.take());
      i = end;
    }
    keep(correlator_.finish());
    std::ranges::sort(all, {}, [](const GpuActivity& activity) {
      return std::tuple(activity.start_ns, activity.duration_ns, activity.stream, activity.launched_ns);
    });
    for (GpuActivity& activity : all) activity.name = 0;
    return all;
  }

  std::mt19937 random_{static_cast<std::mt19937::result_type>(GetParam())};
  std::vector<Activity> all_;
  std::int64_t kernel_ns_ = 0;
};

TEST_P(RandomRecording, OrderOfRecordsAndBuffersDoesNotMatter) {
  const std::vector<GpuActivity> in_order = correlated();
  const CorrelationCounts counts_in_order = counts();
  for (int i = 0; i < 5; ++i) {
    std::ranges::shuffle(all_, random_);
    EXPECT_EQ(correlated(), in_order);
    EXPECT_EQ(counts(), counts_in_order);
  }
}

TEST_P(RandomRecording, KeepsTheTimeOfAllKernelsWhateverTheyAreAttributedTo) {
  const std::vector<GpuActivity> activities = correlated();
  std::int64_t kernel_ns = 0;
  for (const GpuActivity& each : activities) kernel_ns += each.kind == GpuActivityKind::Kernel ? each.duration_ns : 0;
  EXPECT_EQ(kernel_ns, kernel_ns_);
  EXPECT_EQ(counts().attributed + counts().outside_ops + counts().unknown_launch,
            static_cast<std::int64_t>(activities.size()));
}

TEST_P(RandomRecording, GivesNothingTwiceWhereRecordsComeTwice) {
  const std::vector<GpuActivity> once = correlated();
  const std::vector<Activity> copy = all_;
  all_.insert(all_.end(), copy.begin(), copy.end());
  std::ranges::shuffle(all_, random_);
  EXPECT_EQ(correlated(), once);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomRecording, testing::Range(0, 20));

TEST(GpuLaunchedBy, GoesIntoAnIdAndBack) {
  constexpr std::int64_t kMost = 0xffffffff;
  for (const LaunchedBy by : {LaunchedBy{}, kCall, LaunchedBy{kMost, kMost}, LaunchedBy{0, 1}, LaunchedBy{kMost, 0}}) {
    EXPECT_TRUE(by.fits());
    EXPECT_EQ(LaunchedBy::decode(by.encode()), by);
  }
  for (const LaunchedBy by :
       {LaunchedBy{kMost + 1, 1}, LaunchedBy{1, kMost + 1}, LaunchedBy{-1, 1}, LaunchedBy{1, -1}}) {
    EXPECT_FALSE(by.fits());
    EXPECT_EQ(by.encode(), 0U);
  }
}

}  // namespace correlate_test
}  // namespace ampprof::profiler
