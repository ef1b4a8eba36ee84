// SPDX-License-Identifier: Apache-2.0
#include "profiler/steps/between_steps.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

namespace ampprof::profiler {
namespace between_steps_test {

constexpr std::int64_t kBefore = 4, kNewest = 7;
constexpr BetweenSteps::Call kOnlyAsks{.only_writes_or_asks = true}, kReadsStep{.reads_step = true},
    kMakesGraph{.reads_step = true, .makes_graph = true};

/// A program between step 2 (segment 4) and step 3 (segment 7). Each letter names a storage in `memory_`.
class Between {
 public:
  Between& call(std::int64_t number, const std::string& reads, const std::string& makes, BetweenSteps::Call call = {}) {
    std::vector<BetweenSteps::Memory> read;
    for (const char each : reads) read.push_back(at(each));
    call.reads = read;
    between_.hold(number, {.now_ns = 10 * number, .overhead_ns = number}, call);
    std::vector<BetweenSteps::Made> made;
    for (const char each : makes) made.push_back({.memory = at(each)});
    between_.made(number, made);
    return *this;
  }
  Between& step_before(const std::string& reads) {
    for (const char each : reads) between_.read(at(each), BetweenSteps::Reader::StepBefore);
    return *this;
  }
  Between& use_graph() {
    between_.use_graph();
    return *this;
  }
  Between& step_after(const std::string& reads) {
    for (const char each : reads) between_.read(at(each), BetweenSteps::Reader::StepAfter);
    return *this;
  }
  BetweenSteps::Decision decide(bool is_before_recorded = true, bool is_after_recorded = true) {
    between_.end({.now_ns = 1000, .overhead_ns = 100});
    std::int64_t ids = kNewest;
    return between_.decide({.id = kBefore, .step = 2, .recorded = is_before_recorded},
                           {.id = kNewest, .step = 3, .position = 1, .recorded = is_after_recorded}, ids);
  }
  /// Returns the step of each call, in order: '2', '3', '0' for no step, '-' for a call that is not recorded.
  std::string steps(bool is_before_recorded = true, bool is_after_recorded = true) {
    const auto [segments, calls] = decide(is_before_recorded, is_after_recorded);
    std::map<std::int64_t, char> step{{kBefore, '2'}, {0, '-'}};
    for (const Segment& segment : segments) step[segment.id] = static_cast<char>('0' + segment.step);
    std::string text;
    for (const HeldCalls& range : calls) {
      text.append(static_cast<std::size_t>(range.last - range.first + 1), step.at(range.segment));
    }
    return text;
  }

 private:
  BetweenSteps::Memory at(char memory) { return &memory_[static_cast<unsigned char>(memory)]; }

  BetweenSteps between_;
  char memory_[256]{};
};

TEST(BetweenSteps, ResultsThatTheNextStepReadsBelongToIt) {
  Between between;
  between.call(1, "", "x").call(2, "x", "h").call(3, "h", "t");            // a batch, its cast, and a teacher's forward
  between.call(4, "", "v").call(5, "v", "l").call(6, "l", "", kOnlyAsks);  // validation, and its loss as a number
  EXPECT_EQ(between.step_after("t").steps(), "333000");
}

TEST(BetweenSteps, ReadingTheBatchOfAStepDoesNotMakeACallPartOfIt) {
  Between between;
  between.call(1, "", "x").call(2, "x", "a").call(3, "a", "b");
  EXPECT_EQ(between.step_after("x").steps(), "300");
}

TEST(BetweenSteps, ResultsThatTheUpdateReadsBelongToTheStepBefore) {
  Between between;
  between.call(1, "", "r").call(2, "r", "s").step_before("s");
  EXPECT_EQ(between.step_after("s").steps(), "22") << "it was read there first";
}

TEST(BetweenSteps, CallsThatOnlyWriteOrReadBelongToTheStepBefore) {
  Between between;
  between.call(1, "e", "e", kOnlyAsks);  // a moving average of weights
  between.call(2, "", "", kOnlyAsks);    // reads a value that the step computed
  // Validation fills a buffer.
  between.call(3, "d", "d", kOnlyAsks).call(4, "d", "y").call(5, "y", "", kOnlyAsks);
  EXPECT_EQ(between.steps(), "22000");
}

TEST(BetweenSteps, MetricsOfAStepBelongToIt) {
  Between between;
  between.call(1, "o", "a", kReadsStep).call(2, "a", "b").call(3, "b", "", kOnlyAsks).call(4, "", "v");
  EXPECT_EQ(between.steps(), "2220");
  between.call(5, "", "c").call(6, "bc", "", kReadsStep);  // call 6 compares with the limit from call 5
  EXPECT_EQ(between.steps(), "222022");
  between.step_after("a");
  EXPECT_EQ(between.steps(), "322022") << "a state that the next step goes on with";
}

TEST(BetweenSteps, AGraphThatIsUsedIsOfTheNextStep) {
  Between between;
  between.call(1, "o", "p", kMakesGraph).call(2, "p", "l", kMakesGraph).call(3, "", "v");
  EXPECT_EQ(between.steps(), "220");
  EXPECT_EQ(between.use_graph().steps(), "330") << "a second loss of the same outputs";
}

TEST(BetweenSteps, MemoryIsOfWhoeverWroteItLast) {
  Between between;
  between.call(1, "", "x").call(2, "", "x");
  EXPECT_EQ(between.step_after("x").steps(), "03");
}

TEST(BetweenSteps, StretchesHaveTheirTimes) {
  Between between;
  between.call(1, "", "v").call(2, "o", "p", kReadsStep).call(3, "", "x").call(4, "x", "y");
  const auto [segments, calls] = between.step_after("y").decide();
  ASSERT_EQ(segments.size(), 2u);
  EXPECT_EQ(segments[0].id, kNewest + 1);
  EXPECT_EQ(segments[0].step, 0);
  EXPECT_EQ(segments[0].position, 0);
  EXPECT_EQ(segments[0].start_ns, 10);
  EXPECT_EQ(segments[0].end_ns, 30);
  EXPECT_EQ(segments[0].overhead_ns, 2);
  EXPECT_EQ(segments[1].id, kNewest + 2);
  EXPECT_EQ(segments[1].step, 3);
  EXPECT_EQ(segments[1].position, 1);
  EXPECT_EQ(segments[1].start_ns, 30);
  EXPECT_EQ(segments[1].end_ns, 1000);
  EXPECT_EQ(segments[1].overhead_ns, 97);
}

TEST(BetweenSteps, CallsOfAStepThatIsNotRecordedAreNotEither) {
  Between between;
  between.call(1, "", "x").call(2, "", "v").call(3, "o", "a", kReadsStep);
  EXPECT_EQ(between.step_after("x").steps(true, false), "-02");
  EXPECT_EQ(between.steps(false, true), "30-");
}

TEST(BetweenSteps, NumbersMayHaveGaps) {
  Between between;
  between.call(3, "", "x").call(5, "x", "y").call(6, "y", "z");
  const auto calls = between.step_after("z").decide().calls;
  ASSERT_EQ(calls.size(), 2u);
  EXPECT_EQ(calls[0].last, 3);
  EXPECT_EQ(calls[1].first, 5);
  EXPECT_EQ(calls[1].last, 6);
}

}  // namespace between_steps_test
}  // namespace ampprof::profiler
