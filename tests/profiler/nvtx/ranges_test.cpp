// SPDX-License-Identifier: Apache-2.0
#include "profiler/nvtx/ranges.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <new>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include "profiler/nvtx/sink_to_ranges.h"

namespace ampprof {

void PrintTo(const NvtxRange& range, std::ostream* out) {
  *out << "thread " << range.thread << " depth " << range.depth << " name " << range.name << " from " << range.start_ns
       << " to " << range.end_ns;
}

}  // namespace ampprof

namespace ampprof::profiler {
namespace ranges_test {

/// Tests with a clock that advances by 1 ns at each read, and with threads chosen by a variable.
class RangesTest : public testing::Test {
 protected:
  Ranges ranges(const RangeBounds& bounds = {}) {
    return Ranges({.now_ns = [this] { return now_++; }, .thread = [this] { return thread_; }}, bounds);
  }

  std::int64_t now_ = 1;
  std::int32_t thread_ = 0;
};

TEST_F(RangesTest, NestWithinAThread) {
  Ranges ranges = this->ranges();
  EXPECT_EQ(ranges.push("", "outer"), 0);
  EXPECT_EQ(ranges.push("", "inner"), 1);
  EXPECT_EQ(ranges.pop(""), 1);
  EXPECT_EQ(ranges.pop(""), 0);
  const TakenRanges taken = ranges.take();
  EXPECT_EQ(taken.ranges, (std::vector<NvtxRange>{{.thread = 0, .depth = 1, .name = 2, .start_ns = 2, .end_ns = 3},
                                                  {.thread = 0, .depth = 0, .name = 1, .start_ns = 1, .end_ns = 4}}));
  ASSERT_EQ(taken.names.size(), 2u);
  EXPECT_EQ(taken.names[0].id, 1);
  EXPECT_EQ(taken.names[0].text, "outer");
  EXPECT_EQ(taken.names[1].text, "inner");
}

TEST_F(RangesTest, SayEachNameOnceAndWithItsDomain) {
  Ranges ranges = this->ranges();
  ranges.mark("nccl", "reduce");
  ranges.mark("", "reduce");
  ranges.mark("nccl", "");
  const TakenRanges first = ranges.take();
  ASSERT_EQ(first.names.size(), 3u);
  EXPECT_EQ(first.names[0].text, "nccl: reduce");
  EXPECT_EQ(first.names[1].text, "reduce");
  EXPECT_EQ(first.names[2].text, "nccl: (no text)");
  ranges.mark("nccl", "reduce");
  const TakenRanges second = ranges.take();
  EXPECT_TRUE(second.names.empty());
  EXPECT_EQ(second.ranges.at(0).name, first.names[0].id);
}

TEST_F(RangesTest, OfSeveralDomainsHaveStacksOfTheirOwnButOneDepth) {
  Ranges ranges = this->ranges();
  EXPECT_EQ(ranges.push("a", "a0"), 0);
  EXPECT_EQ(ranges.push("b", "b0"), 0);
  EXPECT_EQ(ranges.push("a", "a1"), 1);
  EXPECT_EQ(ranges.pop("b"), 0);
  EXPECT_EQ(ranges.pop("a"), 1);
  EXPECT_EQ(ranges.pop("a"), 0);
  const std::vector<NvtxRange> taken = ranges.take().ranges;
  ASSERT_EQ(taken.size(), 3u);
  EXPECT_EQ(taken[0].depth, 1);  // of b0
  EXPECT_EQ(taken[1].depth, 2);  // of a1
  EXPECT_EQ(taken[2].depth, 0);  // of a0
}

TEST_F(RangesTest, StartedOnOneThreadMayEndOnAnotherAndInAnyOrder) {
  Ranges ranges = this->ranges();
  ranges.push("", "around");
  const std::uint64_t first = ranges.start("", "first");
  const std::uint64_t second = ranges.start("", "second");
  EXPECT_NE(first, 0u);
  EXPECT_LT(first, second);
  thread_ = 7;
  ranges.end(first);
  ranges.end(second);
  ranges.end(first);
  ranges.end(12345);
  const std::vector<NvtxRange> taken = ranges.take().ranges;
  EXPECT_EQ(taken, (std::vector<NvtxRange>{{.thread = 0, .depth = 0, .name = 2, .start_ns = 2, .end_ns = 4},
                                           {.thread = 0, .depth = 0, .name = 3, .start_ns = 3, .end_ns = 5}}));
}

TEST_F(RangesTest, AMarkEndsWhenItStartsAndLiesWithinWhatIsOpen) {
  Ranges ranges = this->ranges();
  ranges.push("", "around");
  ranges.mark("", "here");
  EXPECT_EQ(ranges.take().ranges,
            (std::vector<NvtxRange>{{.thread = 0, .depth = 1, .name = 2, .start_ns = 2, .end_ns = 2}}));
}

TEST_F(RangesTest, APopTooManyIsRefused) {
  Ranges ranges = this->ranges();
  EXPECT_EQ(ranges.pop(""), -1);
  ranges.push("a", "x");
  EXPECT_EQ(ranges.pop("b"), -1);
  thread_ = 1;
  EXPECT_EQ(ranges.pop("a"), -1);
  thread_ = 0;
  EXPECT_EQ(ranges.pop("a"), 0);
  EXPECT_EQ(ranges.pop("a"), -1);
  EXPECT_EQ(ranges.take().ranges.size(), 1u);
}

TEST_F(RangesTest, WhatIsOpenEndsWithTheRecording) {
  Ranges ranges = this->ranges();
  ranges.push("", "outer");
  ranges.push("", "inner");
  const std::uint64_t started = ranges.start("", "started");
  const std::vector<NvtxRange> taken = ranges.finish(100).ranges;
  ASSERT_EQ(taken.size(), 3u);
  EXPECT_TRUE(std::ranges::all_of(taken, [](const NvtxRange& range) { return range.end_ns == 100; }));
  EXPECT_EQ(taken[0].depth, 1);
  EXPECT_EQ(ranges.counts(), (RangeCounts{.recorded = 3, .still_open = 3}));
  EXPECT_EQ(ranges.pop(""), -1);
  EXPECT_EQ(ranges.push("", "late"), -1);
  EXPECT_EQ(ranges.start("", "late"), 0u);
  ranges.mark("", "late");
  ranges.end(started);
  EXPECT_TRUE(ranges.finish(200).ranges.empty());
}

TEST_F(RangesTest, NeverEndBeforeTheyStart) {
  Ranges ranges = this->ranges();
  now_ = 50;
  ranges.push("", "x");
  EXPECT_EQ(ranges.finish(10).ranges.at(0).end_ns, 50);
}

TEST_F(RangesTest, WithoutRoomAreDroppedAndTheRestStillNests) {
  Ranges ranges = this->ranges({.most_ranges = 2});
  EXPECT_EQ(ranges.push("", "a"), 0);
  EXPECT_EQ(ranges.push("", "b"), 1);
  EXPECT_EQ(ranges.push("", "dropped"), 2);
  EXPECT_EQ(ranges.start("", "dropped"), 0u);
  ranges.mark("", "dropped");
  thread_ = 1;
  EXPECT_EQ(ranges.push("", "dropped"), -1);
  EXPECT_EQ(ranges.pop(""), -1);
  thread_ = 0;
  EXPECT_EQ(ranges.pop(""), 2);
  EXPECT_EQ(ranges.pop(""), 1);
  EXPECT_EQ(ranges.push("", "dropped"), 1);  // still full: b has not been taken yet
  EXPECT_EQ(ranges.take().ranges.at(0).name, 2);
  EXPECT_EQ(ranges.push("", "dropped"), 2);  // there is room again, but the range is inside a dropped one
  EXPECT_EQ(ranges.pop(""), 2);
  EXPECT_EQ(ranges.pop(""), 1);
  EXPECT_EQ(ranges.pop(""), 0);
  EXPECT_EQ(ranges.take().ranges.at(0).name, 1);
  ranges.mark("", "kept");
  ranges.mark("", "kept");
  ranges.mark("", "dropped");
  EXPECT_EQ(ranges.take().ranges.size(), 2u);
  EXPECT_EQ(ranges.counts(), (RangeCounts{.recorded = 4, .dropped = 7}));
}

TEST_F(RangesTest, OfTooManyNamesShareOne) {
  Ranges ranges = this->ranges({.most_names = 2});
  for (const char* text : {"a", "b", "c", "d", "a"}) ranges.mark("", text);
  const TakenRanges taken = ranges.take();
  ASSERT_EQ(taken.names.size(), 3u);
  EXPECT_EQ(taken.names[2].text, kFurtherName);
  EXPECT_EQ(taken.ranges[2].name, 3);
  EXPECT_EQ(taken.ranges[3].name, 3);
  EXPECT_EQ(taken.ranges[4].name, 1);
  EXPECT_EQ(ranges.counts().unnamed, 2);
}

TEST_F(RangesTest, LongNamesAreCutBetweenCharacters) {
  Ranges ranges = this->ranges({.most_name_bytes = 4});
  ranges.mark("", "abcd");
  ranges.mark("", "abcde");
  ranges.mark("", "abcé");
  const TakenRanges taken = ranges.take();
  ASSERT_EQ(taken.names.size(), 3u);
  EXPECT_EQ(taken.names[0].text, "abcd");
  EXPECT_EQ(taken.names[1].text, "abcd…");
  EXPECT_EQ(taken.names[2].text, "abc…");
  ranges.mark("", "\x80\x81\x82\x83\x84");
  EXPECT_EQ(ranges.take().names.at(0).text, "…") << "no character begins in it";
}

TEST_F(RangesTest, ASinkPassesThemOn) {
  Ranges ranges = this->ranges();
  const RangeSink& sink = sink_to(ranges);
  EXPECT_EQ(sink.push("", "outer"), 0);
  EXPECT_EQ(sink.push("", "inner"), 1);
  EXPECT_EQ(sink.pop(""), 1);
  sink.end(sink.start("", "started"));
  sink.mark("", "mark");
  EXPECT_EQ(ranges.take().ranges.size(), 3u);
}

TEST(RangeSink, LosesARangeWhereThereIsNoMemoryForIt) {
  Ranges ranges({.now_ns = []() -> std::int64_t { throw std::bad_alloc(); }, .thread = [] { return 0; }});
  const RangeSink& sink = sink_to(ranges);
  EXPECT_EQ(sink.push("", "x"), -1);
  EXPECT_EQ(sink.pop(""), -1);
  EXPECT_EQ(sink.start("", "x"), 0u);
  sink.end(1);
  sink.mark("", "x");
}

TEST(RangeCounts, SayWhatIsMissing) {
  EXPECT_TRUE(missing_of({.recorded = 5}).empty());
  const std::vector<Missing> missing = missing_of({.dropped = 2, .unnamed = 3, .still_open = 4});
  ASSERT_EQ(missing.size(), 3u);
  EXPECT_EQ(missing[0].what, "NVTX ranges");
  EXPECT_EQ(missing[0].count, 2);
  EXPECT_EQ(missing[1].count, 3);
  EXPECT_EQ(missing[2].count, 4);
}

// ---- any order of events -----------------------------------------------------------------------------------------

/// Keeps the open ranges as simply as possible: one list of pushes, in their order.
class Model {
 public:
  struct Push {
    std::int32_t thread;
    std::string domain;
    std::int32_t depth;
    std::int64_t start;
    std::string text;
  };

  int push(std::int32_t thread, const std::string& domain, std::int64_t start, const std::string& text) {
    open_.push_back({thread, domain, count(thread, nullptr), start, text});
    return count(thread, &domain) - 1;
  }

  /// Removes the innermost open range. Returns the level, and the range.
  std::pair<int, std::optional<Push>> pop(std::int32_t thread, const std::string& domain) {
    const int level = count(thread, &domain) - 1;
    for (auto push = open_.rbegin(); push != open_.rend(); ++push) {
      if (push->thread != thread || push->domain != domain) continue;
      const Push found = *push;
      open_.erase(std::next(push).base());
      return {level, found};
    }
    return {level, std::nullopt};
  }

  const std::vector<Push>& open() const { return open_; }

 private:
  int count(std::int32_t thread, const std::string* domain) const {
    return static_cast<int>(std::ranges::count_if(open_, [&](const Push& push) {
      return push.thread == thread && (domain == nullptr || push.domain == *domain);
    }));
  }

  std::vector<Push> open_;
};

using Expected = std::tuple<std::int32_t, std::int32_t, std::string, std::int64_t, std::int64_t>;

class AnyOrder : public RangesTest, public testing::WithParamInterface<int> {};

TEST_P(AnyOrder, EveryPushIsOneRangeOfItsDepth) {
  std::mt19937 random(static_cast<unsigned>(GetParam()));
  const auto below = [&](int limit) { return std::uniform_int_distribution<int>(0, limit - 1)(random); };
  Ranges ranges = this->ranges();
  Model model;
  std::multiset<Expected> expected;
  std::multiset<Expected> got;
  std::map<std::int64_t, std::string> names;
  const auto collect = [&](const TakenRanges& taken) {
    for (const InternedText& name : taken.names) EXPECT_TRUE(names.emplace(name.id, name.text).second);
    for (const NvtxRange& range : taken.ranges) {
      got.emplace(range.thread, range.depth, names.at(range.name), range.start_ns, range.end_ns);
    }
  };
  const auto expect = [&](const Model::Push& push, std::int64_t end) {
    const std::string name = push.domain.empty() ? push.text : push.domain + ": " + push.text;
    expected.emplace(push.thread, push.depth, name, push.start, end);
  };

  for (int event = 0; event < 2000; ++event) {
    thread_ = below(4);
    const std::string domain = std::vector<std::string>{"", "a", "b"}[static_cast<std::size_t>(below(3))];
    const std::int64_t moment = now_;
    const int kind = below(40);
    if (kind == 0) {
      collect(ranges.take());
    } else if (kind < 20) {
      const std::string text = "text " + std::to_string(below(10));
      EXPECT_EQ(ranges.push(domain, text), model.push(thread_, domain, moment, text));
    } else {
      const auto [level, ended] = model.pop(thread_, domain);
      EXPECT_EQ(ranges.pop(domain), level);
      if (ended) expect(*ended, moment);
    }
  }
  const std::int64_t last = now_;
  for (const Model::Push& push : model.open()) expect(push, last);
  collect(ranges.finish(last));
  EXPECT_EQ(got, expected);
  EXPECT_EQ(ranges.counts().recorded, static_cast<std::int64_t>(expected.size()));
  EXPECT_EQ(ranges.counts().still_open, static_cast<std::int64_t>(model.open().size()));
}

INSTANTIATE_TEST_SUITE_P(Seeds, AnyOrder, testing::Range(0, 20));

TEST(ManyThreads, LoseNothing) {
  std::atomic<std::int64_t> clock{0};
  std::atomic<std::int32_t> threads{0};
  Ranges ranges({.now_ns = [&] { return clock++; },
                 .thread =
                     [&] {
                       thread_local const std::int32_t own = threads++;
                       return own;
                     }});
  constexpr int kThreads = 4;
  constexpr int kRounds = 500;
  std::vector<std::thread> running;
  for (int i = 0; i < kThreads; ++i) {
    running.emplace_back([&] {
      for (int round = 0; round < kRounds; ++round) {
        ranges.push("", "outer");
        ranges.push("domain", "inner");
        ranges.end(ranges.start("", "started"));
        ranges.pop("domain");
        ranges.pop("");
      }
    });
  }
  std::size_t taken = 0;
  for (int i = 0; i < 100; ++i) taken += ranges.take().ranges.size();
  for (std::thread& thread : running) thread.join();
  taken += ranges.finish(clock).ranges.size();
  EXPECT_EQ(taken, 3u * kThreads * kRounds);
  EXPECT_EQ(ranges.counts(), (RangeCounts{.recorded = 3 * kThreads * kRounds}));
}

}  // namespace ranges_test
}  // namespace ampprof::profiler
