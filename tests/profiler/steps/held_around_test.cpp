// SPDX-License-Identifier: Apache-2.0
#include "profiler/steps/held_around.h"

#include <gtest/gtest.h>

#include <list>
#include <map>
#include <string>
#include <vector>

#include "profiler/steps/step_tracker.h"

namespace ampprof::profiler {
namespace held_around_test {

/// Trains in steps of a forward pass and an update. Calls between the steps allocate memory.
class Training {
 public:
  void step() {
    if (const auto finished = tracker_.forward_op(++now_)) note({*finished});
    take();
    for (const auto memory : to_read_) tracker_.held().before().read(memory, BetweenSteps::Reader::StepAfter);
    to_read_.clear();
    static const int kOptimizer = 0;
    tracker_.updated({.optimizer = &kOptimizer}, ++now_);
  }
  /// Makes a call. Returns its number, or 0 if no range is held.
  std::int64_t call(bool is_read) {
    ++now_;
    if (!tracker_.held().is_open()) return 0;
    const std::int64_t number = tracker_.held().hold(tracker_.segment(), now_, {});
    const BetweenSteps::Memory memory = &memory_.emplace_back(0);
    tracker_.held().after().made(number, std::vector<BetweenSteps::Made>{{.memory = memory}});
    if (is_read) to_read_.push_back(memory);
    take();
    return number;
  }
  void end() {
    tracker_.end(++now_);
    take();
  }
  /// Returns the steps of the held calls, in order.
  std::string steps() const {
    std::string text;
    for (const HeldCalls& range : calls_) {
      for (auto number = range.first; number <= range.last; ++number) text += std::to_string(steps_.at(range.segment));
    }
    return text;
  }
  StepTracker& tracker() { return tracker_; }
  const std::vector<Segment>& rows() const { return rows_; }

 private:
  void take() {
    const auto [renumbered, held, joined] = tracker_.take_corrections();
    note(renumbered);
    calls_.insert(calls_.end(), held.begin(), held.end());
  }
  void note(const std::vector<Segment>& rows) {
    for (const Segment& row : rows) steps_[row.id] = row.step;
    rows_.insert(rows_.end(), rows.begin(), rows.end());
  }

  StepNumbers numbers_;
  GradientLives lives_;
  StepTracker tracker_{numbers_, lives_};
  std::int64_t now_ = 0;
  std::list<int> memory_;
  std::vector<BetweenSteps::Memory> to_read_;
  std::map<std::int64_t, std::int64_t> steps_;
  std::vector<HeldCalls> calls_;
  std::vector<Segment> rows_;
};

TEST(HeldAround, PlacesCallsWhenTheStepThatMayReadThemHasEnded) {
  Training training;
  EXPECT_EQ(training.call(true), 0) << "setting up";
  training.step();
  training.call(true);
  training.call(false);
  training.step();
  EXPECT_EQ(training.steps(), "") << "it may use its graph once more";
  training.call(false);
  training.step();
  EXPECT_EQ(training.steps(), "20");
  training.call(true);
  training.end();
  EXPECT_EQ(training.steps(), "2000");
}

TEST(HeldAround, PlacesWhatIsHeldBeforeTheFirstStep) {
  Training training;
  training.call(true);
  training.tracker().held().open();
  EXPECT_NE(training.call(true), 0) << "a mask";
  EXPECT_NE(training.call(false), 0) << "a figure that is never read";
  training.step();
  training.step();
  EXPECT_EQ(training.steps(), "10");
}

TEST(HeldAround, BeforeTheFirstStepDoesNotHideInference) {
  Training training;
  training.tracker().held().open();
  const int model = 0;
  EXPECT_TRUE(training.tracker().inference_module_entered(&model, 1)) << "the first step of an inference program";
}

TEST(HeldAround, GivesIdsAboveThoseOfTheSegmentsAround) {
  Training training;
  for (int i = 0; i < 3; ++i) {
    training.step();
    training.call(true);
  }
  training.end();
  std::int64_t last = 0;
  for (const Segment& row : training.rows()) {
    EXPECT_GE(row.id, last) << "whoever adds up calls takes a segment for placed when a later one comes";
    last = row.id;
  }
}

TEST(HeldAround, PlacesALongValidationWhileItRuns) {
  Training training;
  training.step();
  for (std::size_t i = 0; i <= BetweenSteps::kMostHeld; ++i) training.call(false);
  EXPECT_EQ(training.steps(), std::string(BetweenSteps::kMostHeld, '0'));
  training.end();
  EXPECT_EQ(training.steps().size(), BetweenSteps::kMostHeld + 1);
}

TEST(HeldAround, HoldsNothingWhereTheProgramSaysWhereStepsEnd) {
  Training training;
  static_cast<void>(training.tracker().step_ended(1));
  training.step();
  EXPECT_EQ(training.call(true), 0);
}

}  // namespace held_around_test
}  // namespace ampprof::profiler
