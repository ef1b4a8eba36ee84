// SPDX-License-Identifier: Apache-2.0
#include "profiler/recorder/held_records.h"

#include <gtest/gtest.h>

#include <vector>

namespace ampprof::profiler {
namespace held_records_test {

constexpr std::int64_t kFirst = HeldCalls::kFirstNumber;

OpCall call_in(std::int64_t segment) {
  OpCall call;
  call.segment = segment;
  return call;
}

std::vector<std::int64_t> segments_of(const Batch& batch) {
  std::vector<std::int64_t> segments;
  for (const OpCall& call : batch.calls) segments.push_back(call.segment);
  for (const PlainCall& call : batch.plain_calls) segments.push_back(call.segment);
  for (const CastRecord& cast : batch.casts) segments.push_back(cast.segment);
  return segments;
}

using Segments = std::vector<std::int64_t>;

TEST(HeldRecords, WaitUntilTheirSegmentIsKnown) {
  HeldRecords held;
  Batch batch;
  batch.calls = {call_in(3), call_in(kFirst), call_in(4)};
  batch.plain_calls = {PlainCall(call_in(kFirst + 1))};
  batch.casts = {{.segment = kFirst}};
  held.take({}, batch);
  EXPECT_EQ(segments_of(batch), (Segments{3, 4}));

  Batch next;
  next.calls = {call_in(5)};
  held.take(std::vector<HeldCalls>{{.first = kFirst, .last = kFirst, .segment = 6}}, next);
  EXPECT_EQ(segments_of(next), (Segments{5, 6, 6})) << "of the second nothing is known yet";

  Batch last;
  held.take(std::vector<HeldCalls>{{.first = kFirst + 1, .last = kFirst + 1, .segment = 7}}, last);
  EXPECT_EQ(segments_of(last), (Segments{7}));
}

TEST(HeldRecords, ThoseThatComeLateAreKnown) {
  HeldRecords held;
  Batch batch;
  held.take(std::vector<HeldCalls>{{.first = kFirst, .last = kFirst + 9, .segment = 6}}, batch);
  batch.activities = {{.segment = kFirst + 9}, {.segment = kFirst + 10}};
  held.take({}, batch);
  ASSERT_EQ(batch.activities.size(), 1u);
  EXPECT_EQ(batch.activities[0].segment, 6);
}

TEST(HeldRecords, OfAStepThatIsNotRecordedAreLeftOut) {
  HeldRecords held;
  Batch batch;
  batch.calls = {call_in(kFirst), call_in(kFirst + 1)};
  held.take(std::vector<HeldCalls>{{.first = kFirst, .last = kFirst, .segment = 0},
                                   {.first = kFirst + 1, .last = kFirst + 1, .segment = 2}},
            batch);
  EXPECT_EQ(segments_of(batch), (Segments{2}));
  Batch next;
  held.take({}, next);
  EXPECT_EQ(segments_of(next), (Segments{}));
}

TEST(HeldRecords, EventsOfAStepThatIsNotRecordedStay) {
  HeldRecords held;
  Batch batch;
  batch.calls = {call_in(kFirst)};
  batch.events.resize(1);
  batch.events[0].segment = kFirst;
  held.take(std::vector<HeldCalls>{{.first = kFirst, .last = kFirst, .segment = 0, .around = 8}}, batch);
  EXPECT_TRUE(batch.calls.empty());
  ASSERT_EQ(batch.events.size(), 1u);
  EXPECT_EQ(batch.events[0].segment, 8);
}

}  // namespace held_records_test
}  // namespace ampprof::profiler
