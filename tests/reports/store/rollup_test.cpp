// SPDX-License-Identifier: Apache-2.0
#include "reports/store/rollup.h"

#include <gtest/gtest.h>

#include <set>

#include "reports/store/report_error.h"
#include "tests/reports/random_calls.h"

namespace ampprof {
namespace rollup_test {

using testing_reports::RandomCalls;

OpCall call_at(std::int64_t site, std::int64_t segment) {
  OpCall call;
  call.segment = segment;
  call.call_site = site;
  return call;
}

/// Adds a chunk of one call to `rollup`.
void write_chunk(store::Rollup& rollup, std::int64_t id, std::int64_t segment, std::int64_t site = 1) {
  rollup.begin_chunk(id, segment);
  rollup.add(call_at(site, segment));
}

/// Adds random chunks to a rollup as a recorder does, and computes the expected totals.
class Rolled : public ::testing::TestWithParam<unsigned> {
 protected:
  void write_chunk(std::int64_t segment) {
    std::vector<OpCall> calls;
    std::vector<CastRecord> casts;
    for (int i = random_.up_to(20); i >= 0; --i) calls.push_back(random_.call(segment, 12));
    for (int i = random_.up_to(3); i > 0; --i) casts.push_back(random_.cast(segment, 12));
    rollup_.begin_chunk(++chunk_, segment);
    for (const OpCall& call : calls) rollup_.add(call);
    for (const CastRecord& cast : casts) rollup_.add(cast);
    for (const OpCall& call : calls) by_segment_[segment][call.call_site].add(call);
    for (const CastRecord& cast : casts) by_segment_[segment][cast.call_site].add(cast);
  }

  RandomCalls random_{GetParam()};
  store::Rollup rollup_;
  std::int64_t chunk_ = 0;
  std::map<std::int64_t, std::map<std::int64_t, OpTotal>> by_segment_;
};

TEST_P(Rolled, TotalsAreThoseOfAllCallsAtTheirLastPosition) {
  std::map<std::int64_t, std::int32_t> positions;
  std::set<SiteInStep> changed;
  for (std::int64_t segment = 1; segment <= 30; ++segment) {
    for (int chunks = 1 + random_.up_to(2); chunks > 0; --chunks) {
      write_chunk(segment);
      rollup_.segment_seen({.id = segment, .position = random_.up_to(2)});  // the position may still change
    }
    positions[segment] = random_.up_to(2);
    rollup_.segment_seen({.id = segment, .position = positions[segment]});
    if (random_.one_in(4) && segment > 1) write_chunk(segment - 1);  // late, from another thread
    if (random_.one_in(4) && segment > 9) write_chunk(segment - 9);
    if (random_.one_in(3)) {
      for (const SiteInStep& place : rollup_.take_changed()) changed.insert(place);
    }
  }
  EXPECT_LT(rollup_.complete_up_to(), chunk_) << "the last segment may go on";
  rollup_.finish_all();
  EXPECT_EQ(rollup_.complete_up_to(), chunk_);
  for (const SiteInStep& place : rollup_.take_changed()) changed.insert(place);
  EXPECT_EQ(rollup_.changed(), 0u);

  OpTotals expected;
  for (const auto& [segment, sites] : by_segment_) {
    for (const auto& [site, total] : sites) expected[{site, positions[segment]}].merge(total);
  }
  std::set<SiteInStep> places;
  for (const auto& [place, total] : expected) {
    places.insert(place);
    const OpTotal& actual = rollup_.total(place);
    EXPECT_EQ(actual.calls, total.calls);
    EXPECT_EQ(actual.duration_ns, total.duration_ns);
    EXPECT_EQ(actual.nonfinite_calls, total.nonfinite_calls);
    EXPECT_EQ(actual.expected_calls, total.expected_calls);
    EXPECT_EQ(actual.local, total.local);
    EXPECT_EQ(actual.ranges, total.ranges);
    EXPECT_EQ(actual.inherited, total.inherited);
    EXPECT_EQ(actual.exponents, total.exponents);
    EXPECT_EQ(actual.inherited_exponents, total.inherited_exponents);
    EXPECT_EQ(std::set(actual.variants.begin(), actual.variants.end()),
              std::set(total.variants.begin(), total.variants.end()));
    EXPECT_EQ(actual.casts.size(), total.casts.size());
  }
  EXPECT_EQ(changed, places);
}

INSTANTIATE_TEST_SUITE_P(Seeds, Rolled, ::testing::Range(1u, 21u));

TEST(Rollup, CompletesNothingBehindAnOpenSegment) {
  store::Rollup rollup;
  write_chunk(rollup, 10, 1);
  rollup.segment_seen({.id = 1});
  EXPECT_EQ(rollup.complete_up_to(), 9);
  EXPECT_TRUE(rollup.take_changed().empty());
  write_chunk(rollup, 11, 2);
  rollup.segment_seen({.id = 2});
  EXPECT_EQ(rollup.complete_up_to(), 10);
  EXPECT_EQ(rollup.take_changed(), (std::vector<SiteInStep>{{1, 0}}));
}

TEST(Rollup, IsNotWholeWhileAnOpenSegmentIsOlderThanAFinishedOnesLastChunk) {
  store::Rollup rollup;
  write_chunk(rollup, 1, 2);
  write_chunk(rollup, 2, 1);  // late, from another thread
  rollup.segment_seen({.id = 2});
  EXPECT_EQ(rollup.complete_up_to(), 0);
  EXPECT_EQ(rollup.total({1, 0}).calls, 1);
  EXPECT_FALSE(rollup.is_whole());
  rollup.segment_seen({.id = 3});
  EXPECT_EQ(rollup.complete_up_to(), 2);
  EXPECT_TRUE(rollup.is_whole());
}

TEST(Rollup, WhatIsInNoChunkIsInTheTotalsWhenItsSegmentIsFinished) {
  store::Rollup rollup;
  write_chunk(rollup, 1, 1);
  for (const std::int64_t segment : {1, 2}) {
    rollup.begin_without_chunk(segment);
    rollup.add(call_at(1, segment));
  }
  rollup.segment_seen({.id = 2});
  EXPECT_EQ(rollup.total({1, 0}).calls, 2);
  EXPECT_EQ(rollup.complete_up_to(), 1) << "the open segment has no chunk that could wait";
  EXPECT_TRUE(rollup.is_whole());
  rollup.finish_all();
  EXPECT_EQ(rollup.total({1, 0}).calls, 3);
  EXPECT_EQ(rollup.last_chunk(), 1);
}

TEST(Rollup, TellsEachChangedPlaceOnce) {
  store::Rollup rollup;
  for (int round = 0; round < 2; ++round) {
    for (const std::int64_t site : {1, 2, 3, 64, 65}) write_chunk(rollup, 1, 1, site);
  }
  rollup.segment_seen({.id = 2});
  for (const std::int64_t site : {1, 2, 3}) write_chunk(rollup, 1, 1, site);  // after segment 2 has begun
  const std::vector<SiteInStep> all{{1, 0}, {2, 0}, {3, 0}, {64, 0}, {65, 0}};
  EXPECT_EQ(rollup.changed(), all.size());
  EXPECT_EQ(rollup.take_changed(), all);
  EXPECT_TRUE(rollup.take_changed().empty());
  EXPECT_EQ(rollup.total({3, 0}).calls, 3);
  write_chunk(rollup, 1, 1, 3);
  EXPECT_EQ(rollup.take_changed(), (std::vector<SiteInStep>{{3, 0}}));
}

TEST(Rollup, ContinuesFromTotalsThatAreReplacedAsAWhole) {
  OpTotals totals;
  totals[{4, 1}].calls = 5;
  store::Rollup rollup(totals, 7);
  EXPECT_EQ(rollup.complete_up_to(), 7);
  EXPECT_TRUE(rollup.is_whole());
  EXPECT_EQ(rollup.total({4, 1}).calls, 5);
  EXPECT_EQ(rollup.take_changed(), (std::vector<SiteInStep>{{4, 1}}));
}

TEST(Rollup, OfNoChunkAtAllIsWhole) {
  store::Rollup rollup;
  rollup.begin_without_chunk(1);
  rollup.add(call_at(1, 1));
  rollup.begin_without_chunk(1);
  rollup.add(call_at(1, 1));
  rollup.segment_seen({.id = 2});
  EXPECT_EQ(rollup.complete_up_to(), 0);
  EXPECT_TRUE(rollup.is_whole());
  EXPECT_EQ(rollup.total({1, 0}).calls, 2);
}

TEST(Rollup, RefusesImpossibleIds) {
  store::Rollup rollup;
  EXPECT_THROW(write_chunk(rollup, 1, 1, -1), store::ReportError);
  EXPECT_THROW(write_chunk(rollup, 2, 1, std::int64_t{1} << 60), store::ReportError);
}

}  // namespace rollup_test
}  // namespace ampprof
