// SPDX-License-Identifier: Apache-2.0
#include "reports/queries/call_site_names.h"

#include <gtest/gtest.h>

#include "tests/reports/sample_report.h"

namespace ampprof {
namespace call_site_names_test {

using testing_reports::site;

queries::CallSites sites(std::initializer_list<CallSite> all) {
  queries::CallSites by_id;
  for (const CallSite& one : all) by_id[one.id] = one;
  return by_id;
}

TEST(CallSiteNames, SayPhaseModuleAndOp) {
  const queries::CallSites all =
      sites({site(1, Phase::Forward, "conv1", "conv2d"), site(2, Phase::Backward, "conv1", "mm"),
             site(3, Phase::Optimizer, "", "add_.Tensor"), site(4, Phase::Inference, "fc", "linear"),
             site(5, Phase::Forward, "", "relu")});
  const queries::CallSiteNames names(all, {{1, 0}, {2, 0}, {3, 0}, {4, 0}, {5, 0}});
  EXPECT_EQ(names.name({1, 0}), "conv1/conv2d");
  EXPECT_EQ(names.name({2, 0}), "backward conv1/mm");
  EXPECT_EQ(names.name({3, 0}), "optimizer add_.Tensor");
  EXPECT_EQ(names.name({4, 0}), "inference fc/linear");
  EXPECT_EQ(names.name({5, 0}), "relu");
}

TEST(CallSiteNames, NumberFromTheSecondCallInTheOrderOfTheStep) {
  const queries::CallSites all =
      sites({site(4, Phase::Forward, "m", "relu", 0), site(9, Phase::Forward, "m", "relu", 0),
             site(5, Phase::Backward, "m", "relu", 0), site(6, Phase::Forward, "n", "relu", 0)});
  const queries::CallSiteNames names(all, {{4, 1}, {9, 0}, {4, 0}, {9, 1}, {9, 0}, {5, 0}, {6, 1}});
  EXPECT_EQ(names.name({4, 0}), "m/relu");
  EXPECT_EQ(names.name({9, 0}), "m/relu#2");
  EXPECT_EQ(names.name({4, 1}), "m/relu#3");
  EXPECT_EQ(names.name({9, 1}), "m/relu#4");
  EXPECT_EQ(names.name({5, 0}), "backward m/relu");
  EXPECT_EQ(names.name({6, 1}), "n/relu") << "ranks are dense: a gap in the ids does not count as a call";
}

TEST(CallSiteNames, AreNumberedInOrderIfThePlaceWasNotRecorded) {
  const queries::CallSites all =
      sites({site(1, Phase::Forward, "m", "relu", 0), site(2, Phase::Forward, "m", "relu", 1),
             site(3, Phase::Forward, "m", "mm", 0)});
  const queries::CallSiteNames names(all, {{1, 0}});
  EXPECT_EQ(names.name({2, 0}), "m/relu#2");
  EXPECT_EQ(names.name({3, 0}), "m/mm");
  EXPECT_EQ(names.name({7, 0}), "?") << "an unknown id";
}

}  // namespace call_site_names_test
}  // namespace ampprof
