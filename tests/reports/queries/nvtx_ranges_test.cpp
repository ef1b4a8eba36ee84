// SPDX-License-Identifier: Apache-2.0
#include "reports/queries/nvtx_ranges.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>

#include "reports/queries/report.h"
#include "reports/records/batch.h"
#include "reports/records/nvtx_range.h"
#include "reports/records/time_span.h"
#include "tests/reports/sample_report.h"

namespace ampprof {
namespace nvtx_ranges_test {

using namespace testing_reports;

constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();

/// Writes a report of one run with NVTX ranges.
class RangeRows : public testing::Test {
 protected:
  void write(const std::vector<NvtxRange>& ranges) {
    store::create_report(path_, false);
    store::ReportWriter writer(path_);
    run_ = writer.begin_run(start_of("O1"));
    Batch batch;
    batch.range_names = {{1, "epoch"}, {2, "loader: fetch"}};
    batch.ranges = ranges;
    writer.append(run_, batch);
  }
  queries::SpanRanges found(const TimeSpan& span, std::int64_t most) const {
    return queries::span_ranges(queries::Report(path_), run_, span, most);
  }

 private:
  TemporaryFolder folder_;

 protected:
  fs::path path_ = folder_ / "r.ampprof";
  std::int64_t run_ = 0;
};

TEST_F(RangeRows, AreShownByThreadAndStart) {
  const std::vector<NvtxRange> ranges{{.thread = 1, .depth = 0, .name = 2, .start_ns = 5, .end_ns = 9},
                                      {.thread = 0, .depth = 1, .name = 2, .start_ns = 20, .end_ns = 30},
                                      {.thread = 0, .depth = 0, .name = 1, .start_ns = 0, .end_ns = 100}};
  write(ranges);
  const queries::SpanRanges in_span = found({10, 50}, 10);
  ASSERT_EQ(in_span.ranges.size(), 2u);
  EXPECT_EQ(in_span.ranges[0].text, "epoch");
  EXPECT_EQ(in_span.ranges[1].text, "loader: fetch");
  EXPECT_EQ(in_span.ranges[1].range, ranges[1]);
  EXPECT_EQ(in_span.shorter_than_ns, 0);
  EXPECT_EQ(queries::range_depths(queries::Report(path_), run_),
            (std::map<std::int32_t, std::int32_t>{{0, 1}, {1, 0}}));
}

TEST_F(RangeRows, OfTooManyAreTheLongest) {
  write({{.name = 1, .start_ns = 0, .end_ns = 1000},
         {.name = 2, .start_ns = 10, .end_ns = 10},
         {.name = 2, .start_ns = 20, .end_ns = 27},
         {.name = 2, .start_ns = 30, .end_ns = 37}});
  EXPECT_EQ(found({0, 50}, 4).shorter_than_ns, 0);
  EXPECT_EQ(found({0, 50}, 3).shorter_than_ns, 1) << "only the mark is left out";
  EXPECT_EQ(found({0, 50}, 3).ranges.size(), 3u);
  EXPECT_EQ(found({0, 50}, 2).shorter_than_ns, 8) << "all of a length, or none";
  EXPECT_EQ(found({0, 50}, 2).ranges.size(), 1u);
  EXPECT_EQ(found({0, 50}, 0).shorter_than_ns, 1024);
}

TEST_F(RangeRows, OfAnyLengthAreFound) {
  write({{.name = 1, .start_ns = kLeast, .end_ns = kLargest}, {.name = 1, .start_ns = 7, .end_ns = 7}});
  EXPECT_EQ(found({0, 5}, 10).ranges.size(), 1u);
  EXPECT_EQ(found({kLeast, kLargest}, 10).ranges.size(), 2u);
  EXPECT_EQ(found({6, 7}, 0).shorter_than_ns, kLargest);
}

class RandomRanges : public RangeRows, public testing::WithParamInterface<int> {};

TEST_P(RandomRanges, ThatTouchASpanAreAllFound) {
  std::mt19937 random(static_cast<std::mt19937::result_type>(GetParam()));
  const auto below = [&](std::int64_t limit) { return static_cast<std::int64_t>(random() % limit); };
  std::vector<NvtxRange> ranges;
  for (int i = 0; i < 300; ++i) {
    const std::int64_t start = below(5000);
    const std::int64_t length = below(std::int64_t{1} << below(13));
    ranges.push_back(
        {.thread = static_cast<std::int32_t>(below(3)), .name = 1, .start_ns = start, .end_ns = start + length});
  }
  write(ranges);
  for (int i = 0; i < 20; ++i) {
    const std::int64_t from = below(6000);
    const TimeSpan span{from, from + below(2000)};
    const auto touches = [&](const NvtxRange& range) {
      return range.start_ns <= span.to_ns && range.end_ns >= span.from_ns;
    };
    EXPECT_EQ(std::ssize(found(span, 1000).ranges), std::ranges::count_if(ranges, touches));
    const std::int64_t most = below(60);
    const queries::SpanRanges some = found(span, most);
    const auto expected = std::ranges::count_if(ranges, [&](const NvtxRange& range) {
      return touches(range) && range.end_ns - range.start_ns >= some.shorter_than_ns;
    });
    EXPECT_EQ(std::ssize(some.ranges), expected);
    EXPECT_LE(std::ssize(some.ranges), most);
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomRanges, testing::Range(0, 8));

TEST_F(RangeRows, BeforeTheRecordersStartAreFound) {
  write({{.name = 1, .start_ns = -10, .end_ns = -5}, {.name = 3, .start_ns = -8, .end_ns = -8}});
  const auto ranges = found({-8, -6}, 10).ranges;
  ASSERT_EQ(ranges.size(), 2u);
  EXPECT_EQ(ranges[0].text, "epoch");
  EXPECT_EQ(ranges[1].text, "") << "a name that is not known";
  EXPECT_TRUE(found({-4, 0}, 10).ranges.empty());
}

}  // namespace nvtx_ranges_test
}  // namespace ampprof
