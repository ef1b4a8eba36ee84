// SPDX-License-Identifier: Apache-2.0
#include "profiler/recorder/step_ring.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace ampprof::profiler {
namespace step_ring_test {

/// Returns a step with one segment of the same number, and two op calls.
Batch step(std::int64_t number) {
  Batch batch;
  batch.segments = {{.id = number, .step = number}};
  batch.calls.resize(1);
  batch.calls[0].segment = number;
  batch.plain_calls = {PlainCall(batch.calls[0])};
  batch.losses = {{.segment = number, .value = 1.0}};
  return batch;
}

std::vector<std::int64_t> steps_of_calls(const Batch& batch) {
  std::vector<std::int64_t> steps;
  for (const OpCall& call : batch.calls) steps.push_back(call.segment);
  EXPECT_EQ(batch.plain_calls.size(), batch.calls.size());
  return steps;
}

std::vector<std::int64_t> recorded(const Batch& batch) {
  std::vector<std::int64_t> steps;
  for (const Segment& segment : batch.segments) {
    if (segment.recorded) steps.push_back(segment.step);
  }
  return steps;
}

using Steps = std::vector<std::int64_t>;

TEST(StepRing, KeepsCallsAndLetsStepsAndLossesPass) {
  StepRing ring(3);
  Batch batch = step(1);
  ring.take(batch, /*has_happened=*/false);
  EXPECT_TRUE(batch.calls.empty());
  EXPECT_TRUE(batch.plain_calls.empty());
  EXPECT_EQ(batch.losses.size(), 1u);
  ASSERT_EQ(batch.segments.size(), 1u);
  EXPECT_FALSE(batch.segments[0].recorded) << "as long as its calls are not written";
}

TEST(StepRing, GivesTheLatestStepsBackWhenSomethingHappens) {
  StepRing ring(3);
  std::int64_t gone = 0;
  for (int number = 1; number <= 5; ++number) {
    Batch batch = step(number);
    ring.take(batch, false);
    for (const Missing& missing : batch.missing) gone += missing.count;
  }
  EXPECT_EQ(gone, 2) << "three of five are kept";
  Batch batch = step(6);
  ring.take(batch, true);
  EXPECT_EQ(steps_of_calls(batch), (Steps{3, 4, 5, 6}));
  EXPECT_EQ(recorded(batch), (Steps{3, 4, 5, 6}));
}

TEST(StepRing, LetsTheStepOfTheEventAndTheNextPass) {
  StepRing ring(2);
  Batch event = step(6);
  ring.take(event, true);
  Batch rest = step(6);
  ring.take(rest, false);
  EXPECT_EQ(steps_of_calls(rest), (Steps{6})) << "what came of that step later";
  Batch next = step(7);
  ring.take(next, false);
  EXPECT_EQ(steps_of_calls(next), (Steps{7}));
  Batch later = step(8);
  ring.take(later, false);
  EXPECT_EQ(steps_of_calls(later), (Steps{}));
}

/// Returns a batch of several steps, as the recorder sees them if steps are short.
Batch steps(std::int64_t first, std::int64_t last) {
  Batch batch = step(first);
  for (std::int64_t number = first + 1; number <= last; ++number) {
    const Batch next = step(number);
    batch.segments.push_back(next.segments[0]);
    batch.calls.push_back(next.calls[0]);
    batch.plain_calls.push_back(next.plain_calls[0]);
  }
  return batch;
}

TEST(StepRing, LetsTheRestOfTheStepAndTheNextPassInABatchOfMany) {
  StepRing ring(2);
  Batch event = step(6);
  ring.take(event, true);
  Batch rest = steps(6, 20);
  ring.take(rest, false);
  EXPECT_EQ(steps_of_calls(rest), (Steps{6, 7}));
  EXPECT_EQ(recorded(rest), (Steps{6, 7}));
}

TEST(StepRing, KnowsTheLatestStepsWhereNumbersBeginAgain) {
  StepRing ring(3);
  Batch validation = steps(1, 50);
  ring.take(validation, false);
  for (std::int64_t number = 1; number <= 4; ++number) {  // training, whose step numbers begin again
    Batch batch = step(number);
    batch.segments[0].id = batch.calls[0].segment = batch.plain_calls[0].segment = 50 + number;
    ring.take(batch, false);
  }
  Batch batch;
  ring.take(batch, true);
  EXPECT_EQ(steps_of_calls(batch), (Steps{52, 53, 54}));
}

TEST(StepRing, DropsRowsOfDroppedSegments) {
  StepRing ring(2);
  Batch batch = steps(1, 5);
  ring.take(batch, false);
  Batch again;
  again.segments = {{.id = 1, .step = 1}};
  ring.take(again, false);
  EXPECT_TRUE(again.missing.empty()) << "it was counted";
  Batch event;
  ring.take(event, true);
  EXPECT_EQ(recorded(event), (Steps{4, 5}));
}

TEST(StepRing, KeepsNoStepThatNeverEnds) {
  StepRing ring(2);
  std::size_t kept = 0;
  for (int i = 0; i < 3; ++i) {
    Batch batch = step(1);
    batch.plain_calls.assign(std::size_t{1} << 18, batch.plain_calls[0]);
    batch.calls.clear();
    ring.take(batch, false);
  }
  Batch event;
  ring.take(event, true);
  kept = event.plain_calls.size();
  EXPECT_LE(kept, std::size_t{1} << 19);
}

TEST(StepRing, KnowsEachSegmentOnce) {
  StepRing ring(2);
  Batch begun = step(1), ended = step(1), next = step(2);
  ended.segments[0].end_ns = 7;
  ring.take(begun, false);
  ring.take(ended, false);
  ring.take(next, true);
  ASSERT_EQ(next.segments.size(), 2u);
  EXPECT_EQ(next.segments[0].end_ns, 7);
  EXPECT_EQ(steps_of_calls(next), (Steps{1, 1, 2}));
}

TEST(StepRing, CountsWhatItLetsGoOfAtTheEnd) {
  StepRing ring(5);
  Batch batch = step(1);
  ring.take(batch, false);
  ring.drop_kept(batch);
  ASSERT_EQ(batch.missing.size(), 1u);
  EXPECT_EQ(batch.missing[0].count, 1);
}

TEST(StepRing, StepsAreWrittenForNanAndInf) {
  Batch batch = step(1);
  EXPECT_FALSE(has_nonfinite_event(batch));
  batch.losses[0].value = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(has_nonfinite_event(batch));
  Batch scaled = step(1);
  scaled.scale_updates = {{.segment = 1, .overflow = true}};
  EXPECT_TRUE(has_nonfinite_event(scaled));
  Batch in_call = step(1);
  in_call.events.resize(1);
  EXPECT_TRUE(has_nonfinite_event(in_call));
}

}  // namespace step_ring_test
}  // namespace ampprof::profiler
