// SPDX-License-Identifier: Apache-2.0
#include "profiler/steps/step_tracker.h"

#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <string_view>

#include "tests/profiler/steps/training_program.h"

namespace ampprof::profiler {
namespace step_tracker_test {

// A program as a string. Ops: 'f' is a forward op that records gradients, 'b' a backward op. Updates: 'D' and 'G' are
// optimizers, 'd' and 'g' their skipped updates. 'm' and 'n' enter an outermost module in inference; '|' is an explicit
// step(). The expected text gives the segment of each op as step.position, after all corrections.
struct Program {
  const char* name;
  std::string_view events;
  std::string_view segments;  ///< "1.0 2.0": the finished segments and the current one, without setup (0.0)
};

void PrintTo(const Program& program, std::ostream* out) { *out << program.name << " \"" << program.events << '"'; }

class StepTrackerRun : public testing::TestWithParam<Program> {};

/// Passes one event to the tracker. The leaves of a pass are unknown. Appends to `renumbered` the new steps of segments
/// that an update renumbers.
std::optional<Segment> feed(StepTracker& tracker, char event, std::int64_t now, std::string* renumbered = nullptr) {
  static const int kOptimizers[2]{}, kModules[2]{};
  if (event == 'f') return tracker.forward_op(now);
  if (event == '|') return tracker.step_ended(now);
  if (event == 'm' || event == 'n') return tracker.inference_module_entered(&kModules[event - 'm'], now);
  const bool skipped = event == 'd' || event == 'g';
  const bool discriminator = event == 'd' || event == 'D';
  if (event == 'b') {
    tracker.pass_begun(now, 0);
  } else {
    const StepTracker::Id optimizer = &kOptimizers[discriminator ? 0 : 1];
    tracker.updated({.optimizer = optimizer, .skipped = skipped}, now);
    for (const Segment& segment : tracker.take_corrections().renumbered) {
      if (renumbered != nullptr) *renumbered += std::to_string(segment.step);
    }
  }
  return std::nullopt;
}

std::string text_of(const Segment& segment) {
  return std::to_string(segment.step) + "." + std::to_string(segment.position) + (segment.skipped ? "!" : "");
}

TEST_P(StepTrackerRun, CutsTheProgramWhereItsOptimizersUpdate) {
  StepNumbers numbers;
  GradientLives lives;
  StepTracker tracker(numbers, lives);
  std::string segments;
  std::int64_t now = 0;
  const auto add = [&](const Segment& segment) {
    if (segment.step == 0) return;
    segments += (segments.empty() ? "" : " ") + text_of(segment);
  };
  for (const char event : GetParam().events) {
    if (const auto finished = feed(tracker, event, ++now)) add(*finished);
  }
  add(tracker.current());
  EXPECT_EQ(segments, GetParam().segments);
}

INSTANTIATE_TEST_SUITE_P(
    StepTracker, StepTrackerRun,
    testing::Values(Program{"nothing", "", ""}, Program{"one_step", "fbD", "1.0"},
                    Program{"two_steps", "ffbDffbD", "1.0 2.0"},
                    Program{"a_skipped_update_ends_a_step_too", "fbDfbdfbD", "1.0 2.0! 3.0"},
                    Program{"accumulation_is_one_segment", "fbfbfbDfbfbfbD", "1.0 2.0"},
                    Program{"a_gan_has_two_segments_a_step", "fbfbDfbGfbfbDfbG", "1.0 1.1 2.0 2.1"},
                    Program{"two_optimizers_after_one_backward", "fbDGfbDG", "1.0 2.0"},
                    Program{"a_trailing_forward_belongs_to_the_last_step", "fbDfbDf", "1.0 2.0 2.1"},
                    Program{"inference_alone_counts_module_calls", "mmm", "1.0 2.0 3.0"},
                    Program{"a_second_module_belongs_to_the_same_step", "mnmn", "1.0 2.0"},
                    Program{"whichever_module_repeats_begins_a_step", "mnnn", "1.0 2.0 3.0"},
                    Program{"a_module_that_is_called_in_between_is_a_part_of_the_segment", "fmbDfmbD", "1.0 2.0"},
                    Program{"evaluation_between_steps_ends_none", "fbDmmm", "1.0"},
                    Program{"training_goes_on_after_evaluation", "fbDmmfbDfbD", "1.0 2.0 3.0"},
                    Program{"explicit_steps_override", "f|fbDfbD|f", "1.0 2.0 2.1 3.0"}),
    [](const auto& info) { return info.param.name; });

TEST(StepTracker, ExpectsTheNextStepOnceThePatternIsKnown) {
  StepNumbers numbers;
  GradientLives lives;
  StepTracker tracker(numbers, lives);
  std::int64_t now = 0;
  std::string expected;
  for (const char event : std::string_view("fbDfbGfbDfbG")) {
    (void)feed(tracker, event, ++now);
    if (event == 'f') expected += std::to_string(tracker.expected_step());
  }
  EXPECT_EQ(expected, "1222") << "the second segment of step 1 cannot be told from a new step yet";
}

// '^' marks the events after which the step is over.
TEST(StepTracker, KnowsTheLastUpdateOfAStepOnceThePatternIsKnown) {
  struct {
    std::string_view events, over;
  } const cases[]{
      {"fbGfbGfffbg", "  ^  ^    ^"},    // one optimizer; a skipped update ends its step, too
      {"fbDfbGfbDfbG", "  ^  ^     ^"},  // in the first step, the second optimizer is still unknown
      {"fbDfbG|fbG|", "  ^  ^     "},    // until the program marks its own steps
  };
  for (const auto& [events, over] : cases) {
    StepNumbers numbers;
    GradientLives lives;
    StepTracker tracker(numbers, lives);
    EXPECT_FALSE(tracker.is_step_over()) << "setting up is not a step";
    for (std::size_t i = 0; i < events.size(); ++i) {
      static_cast<void>(feed(tracker, events[i], static_cast<std::int64_t>(i)));
      EXPECT_EQ(tracker.is_step_over(), i < over.size() && over[i] == '^') << events << " at " << i;
    }
  }
}

TEST(StepTracker, InferenceBeforeTheFirstUpdateIsNotAStep) {
  StepNumbers numbers;
  GradientLives lives;
  StepTracker tracker(numbers, lives);
  std::string steps;
  std::int64_t now = 0;
  for (const char event : std::string_view("mmmfbDfbD")) {
    (void)feed(tracker, event, ++now, &steps);
  }
  EXPECT_EQ(steps, "001") << "the last module call is of the step that it precedes";
  EXPECT_EQ(tracker.current().step, 2);
}

TEST(StepTracker, KeepsItsStepsOfInferenceWhereTheyWereManyBeforeTheFirstUpdate) {
  for (const std::size_t calls : {4096, 4097}) {
    StepNumbers numbers;
    GradientLives lives;
    StepTracker tracker(numbers, lives);
    std::string steps;
    std::int64_t now = 0;
    for (const char event : std::string(calls, 'm') + "fbD") (void)feed(tracker, event, ++now, &steps);
    EXPECT_EQ(steps.size(), calls == 4096 ? calls : 0) << calls;
    EXPECT_EQ(tracker.current().step, calls == 4096 ? 1 : 4097) << calls;
  }
}

TEST(StepTracker, InferenceOfTwoModulesBeforeTheFirstUpdateIsOneStepLess) {
  StepNumbers numbers;
  GradientLives lives;
  StepTracker tracker(numbers, lives);
  std::string steps;
  std::int64_t now = 0;
  for (const char event : std::string_view("mmfbD")) (void)feed(tracker, event, ++now, &steps);
  EXPECT_EQ(steps, "01");
  EXPECT_EQ(tracker.current().step, 1);
}

TEST(StepTracker, ExpectsASegmentToBeginAStepOnceThoseOfTheStepBeforeHaveUpdated) {
  StepNumbers numbers;
  GradientLives lives;
  StepTracker tracker(numbers, lives);
  EXPECT_EQ(expected_segment(tracker).step, 0) << "setting up";
  EXPECT_EQ(expected_segment(tracker).id, 1);
  EXPECT_EQ(tracker.expected_step(), 1);
  std::int64_t now = 0;
  for (const char event : std::string_view("fbG")) (void)feed(tracker, event, ++now);
  EXPECT_EQ(tracker.expected_step(), 1) << "what follows the update is still a part of it";
  (void)feed(tracker, 'f', ++now);
  EXPECT_EQ(tracker.current().step, 1);
  EXPECT_EQ(tracker.current().position, 1);
  EXPECT_EQ(expected_segment(tracker).id, 3);
  EXPECT_EQ(expected_segment(tracker).step, 2);
  EXPECT_EQ(expected_segment(tracker).position, 0);
}

TEST(StepTracker, ExpectsNoOtherStepWhereTheProgramSaysWhereItsStepsEnd) {
  StepNumbers numbers;
  GradientLives lives;
  StepTracker tracker(numbers, lives);
  std::int64_t now = 0;
  for (const char event : std::string_view("f|fbGf")) (void)feed(tracker, event, ++now);
  EXPECT_EQ(tracker.current().step, 2);
  EXPECT_EQ(tracker.expected_step(), 2);
}

TEST(StepTracker, WritingToLeavesBeforeAnUpdateIsNotAnUpdate) {
  const LeafId leaves[]{1};
  StepNumbers numbers;
  GradientLives lives;
  StepTracker tracker(numbers, lives);
  (void)tracker.forward_op(1);
  tracker.updated({.leaves = leaves, .goes_on = true}, 3);  // a norm is clipped first
  tracker.updated({.leaves = leaves}, 2);
  EXPECT_EQ(tracker.current().step, 1);
  tracker.updated({.leaves = leaves, .goes_on = true}, 3);
  (void)tracker.forward_op(3);
  tracker.updated({.leaves = leaves}, 4);
  EXPECT_EQ(tracker.current().step, 2);
}

TEST(StepTracker, SeveralTrackersCountTheirStepsTogether) {
  StepNumbers numbers;
  GradientLives first_lives, second_lives;
  StepTracker first(numbers, first_lives);
  StepTracker second(numbers, second_lives);
  std::int64_t now = 0;
  for (const char event : std::string_view("fbDfbD")) {
    (void)feed(first, event, ++now);
    (void)feed(second, event, ++now);
  }
  EXPECT_EQ(numbers.steps, 4);
  EXPECT_NE(first.current().id, second.current().id);
  EXPECT_NE(first.current().step, second.current().step);
}

// The head is updated first. Then another optimizer updates the whole model, including a leaf of the head.
TEST(StepTracker, ALeafWithUnseenGradientsIsUpdatedOnceAStep) {
  const LeafId head[]{1}, all[]{2, 1};
  StepNumbers numbers;
  GradientLives lives;
  StepTracker tracker(numbers, lives);
  for (int i = 0; i < 2; ++i) {
    (void)tracker.forward_op(i);
    i == 0 ? tracker.updated({.leaves = head}, i) : tracker.updated({.leaves = all}, i);
  }
  EXPECT_EQ(tracker.current().step, 2);
}

TEST(StepTracker, AnOptimizerWhoseLeavesAreKnownLaterIsTheSame) {
  static const int kOptimizer = 0;
  const LeafId leaves[]{1};
  StepNumbers numbers;
  GradientLives lives;
  StepTracker tracker(numbers, lives);
  for (int i = 0; i < 2; ++i) {
    (void)tracker.forward_op(i);
    const auto known = i == 0 ? std::span<const LeafId>() : leaves;
    tracker.updated({.optimizer = &kOptimizer, .leaves = known, .skipped = i == 0}, i);
  }
  EXPECT_EQ(tracker.current().step, 2);
}

TEST(StepTracker, EndsASegmentAtItsUpdateNotAtWhatFollows) {
  StepNumbers numbers;
  GradientLives lives;
  StepTracker tracker(numbers, lives);
  (void)tracker.forward_op(10);
  tracker.segment().op_ended(20);
  tracker.updated({}, 30);
  tracker.segment().op_ended(99);
  EXPECT_EQ(tracker.current().start_ns, 10);
  EXPECT_EQ(tracker.current().end_ns, 30);
}

TEST(StepTracker, CountsOnlyOwnTimeThatLiesWithinASegment) {
  StepNumbers numbers;
  GradientLives lives;
  StepTracker tracker(numbers, lives);
  (void)tracker.forward_op(10);
  tracker.segment().add_overhead(5);
  tracker.updated({}, 30);
  tracker.segment().add_overhead(4);
  EXPECT_EQ(tracker.current().overhead_ns, 5) << "extra passes between two steps are of neither";
  tracker.updated({}, 40);
  EXPECT_EQ(tracker.current().overhead_ns, 9) << "the update went on";
  tracker.segment().add_overhead(3);
  const auto finished = tracker.forward_op(50);
  ASSERT_TRUE(finished);
  EXPECT_EQ(finished->overhead_ns, 9);
  EXPECT_EQ(tracker.current().overhead_ns, 0);
}

/// Trains one iteration per character: reads the gradients, then updates. '-' skips the update.
void train(training_program::Program& program, const std::string& updates) {
  for (const char update : updates) {
    program.iterate(training_program::kNet);
    program.read(training_program::kNet);
    if (update == 'u') program.step(training_program::kNet);
    program.drop(training_program::kNet);
  }
  program.forward();
}

TEST(StepTracker, TakesAStepWithoutUpdateForSkipped) {
  training_program::Program program;
  train(program, "--u-uu-u");
  EXPECT_EQ(program.steps(), 8u);
  EXPECT_EQ(program.skipped_steps(), "1247");
}

TEST(StepTracker, TakesTheLastStepForSkippedWhenTheProgramEnds) {
  training_program::Program program;
  for (const bool updates : {true, false}) {
    program.iterate(training_program::kNet);
    program.read(training_program::kNet);
    if (updates) program.step(training_program::kNet);
    program.drop(training_program::kNet);
  }
  program.end();
  EXPECT_EQ(program.skipped_steps(), "2");
  EXPECT_TRUE(program.tracker().current().skipped);
}

TEST(StepTracker, CallsAfterTheLastStepBelongToNoStep) {
  training_program::Program program;
  train(program, "uu");  // the last event is a forward op
  program.end();
  EXPECT_EQ(program.steps_of_segments(), "12");
  EXPECT_EQ(program.tracker().current().step, 0);
  EXPECT_EQ(program.tracker().current().position, 0);
}

TEST(StepTracker, AStepThatIsUsedWhenTheProgramEndsStays) {
  training_program::Program program;
  train(program, "u");
  program.backward(training_program::kNet);
  program.read(training_program::kNet);
  program.end();
  EXPECT_EQ(program.steps_of_segments(), "12");
}

TEST(StepTracker, TakesNoStepForSkippedWhereNoUpdateIsEverSeen) {
  training_program::Program program;
  train(program, "----");
  EXPECT_EQ(program.skipped_steps(), "") << "p.data = ... is an update that is not seen";
}

}  // namespace step_tracker_test
}  // namespace ampprof::profiler
