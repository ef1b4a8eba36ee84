// SPDX-License-Identifier: Apache-2.0
#include "profiler/calls/call_sites.h"

#include <gtest/gtest.h>

namespace ampprof::profiler {
namespace call_sites_test {

constexpr CallSites::Key kLinear{.phase = Phase::Forward, .module = 1, .op = 2};
constexpr CallSites::Key kReLU{.phase = Phase::Forward, .module = 1, .op = 3};

TEST(CallSites, CallsOfOneOpInAModuleAreCountedInEachSegmentAnew) {
  CallSites sites;
  EXPECT_EQ(sites.next(kLinear, 0, 1), (CallSites::Site{1, kLinear, 0}));
  EXPECT_EQ(sites.next(kReLU, 0, 1), (CallSites::Site{2, kReLU, 0}));
  EXPECT_EQ(sites.next(kLinear, 0, 1), (CallSites::Site{3, kLinear, 1}));
  EXPECT_EQ(sites.next(kLinear, 0, 2), (CallSites::Site{1, kLinear, 0}));
}

TEST(CallSites, PhasesModulesAndOpsAreApart) {
  CallSites sites;
  sites.next(kLinear, 0, 1);
  for (const CallSites::Key& key : {CallSites::Key{Phase::Backward, 1, 2}, CallSites::Key{Phase::Forward, 2, 2},
                                    CallSites::Key{Phase::Forward, 1, 4}}) {
    EXPECT_EQ(sites.next(key, 0, 1).ordinal, 0);
  }
  EXPECT_EQ(sites.take_new().size(), 4u);
}

TEST(CallSites, TrainingLoopsCountSideBySide) {
  CallSites sites;
  EXPECT_EQ(sites.next(kLinear, 0, 1).id, 1);
  EXPECT_EQ(sites.next(kLinear, 2, 5).id, 1) << "the first call of another training's segment";
  EXPECT_EQ(sites.next(kLinear, 0, 1).ordinal, 1);
}

TEST(CallSites, NewOnesAreTakenOnce) {
  CallSites sites;
  EXPECT_FALSE(sites.has_new());
  EXPECT_EQ(sites.at(kLinear, 1), 2) << "the ones before it are made too";
  EXPECT_TRUE(sites.has_new());
  EXPECT_EQ(sites.take_new(), (std::vector<CallSites::Site>{{1, kLinear, 0}, {2, kLinear, 1}}));
  EXPECT_FALSE(sites.has_new());
  EXPECT_EQ(sites.next(kLinear, 0, 1).id, 1);
  EXPECT_FALSE(sites.has_new());
}

TEST(CallSites, ALoopWithoutEndStaysAtTheLastOne) {
  CallSites sites;
  for (int i = 1; i < CallSites::kMostSites; ++i) sites.next(kLinear, 0, 1);
  const CallSites::Site last = sites.next(kLinear, 0, 1);
  EXPECT_EQ(last.ordinal, CallSites::kMostSites - 1);
  EXPECT_EQ(sites.take_calls_without_site(), 0);
  EXPECT_EQ(sites.next(kLinear, 0, 1), last);
  EXPECT_EQ(sites.next(kLinear, 0, 1), last);
  EXPECT_EQ(sites.take_calls_without_site(), 2);
  EXPECT_EQ(sites.take_calls_without_site(), 0);
}

}  // namespace call_sites_test
}  // namespace ampprof::profiler
