// SPDX-License-Identifier: Apache-2.0
#include "reports/queries/spans.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "reports/queries/calls.h"
#include "reports/queries/report.h"
#include "reports/records/batch.h"
#include "reports/records/op_call.h"
#include "reports/records/op_total.h"
#include "reports/records/time_span.h"
#include "reports/records/tracks.h"
#include "reports/store/report_error.h"
#include "reports/store/sqlite.h"
#include "tests/reports/random_calls.h"
#include "tests/reports/sample_report.h"

namespace ampprof {
namespace spans_test {

using namespace testing_reports;

constexpr std::int64_t kAll = 1 << 20;
constexpr int kSteps = 30;

using Times = std::map<std::int32_t, ClassTimes>;  // keyed by thread

std::int64_t end_of_span(const OpCall& call) { return call.start_ns + call.duration_ns; }
std::size_t kind_of(const OpCall& call) { return static_cast<std::size_t>(precision_class_of(call)); }

/// A run of random calls with one chunk for each step.
class Spans : public testing::Test {
 protected:
  Spans() {
    store::create_report(path(), false);
    store::ReportWriter writer(path());
    run_ = writer.begin_run(start_of("O1"));
    RandomCalls random(5);
    for (int step = 1; step <= kSteps; ++step) {
      Batch batch;
      if (step == 1) batch = names();
      batch.segments = {{.id = step, .step = step / 2, .position = step % 2}};
      for (int i = 0; i < 40; ++i) batch.calls.push_back(random.call(step, 5));
      if (step % 7 == 0) batch.casts.push_back(random.cast(step + kSteps, 5));  // a chunk without calls
      calls_.insert(calls_.end(), batch.calls.begin(), batch.calls.end());
      writer.append(run_, batch);
    }
    writer.detach(run_, {.peak_bytes = 1, .wall_ns = 1, .overhead_ns = 1});
    writer.end_run(run_, 0);
    writer.fold();
  }

  static Batch names() {
    Batch batch;
    for (std::int64_t id = 1; id <= 5; ++id) {
      batch.call_sites.push_back(site(id, Phase::Forward, "layer" + std::to_string(id), "mm"));
    }
    batch.signatures = {{1, "f32[8,4]"}};
    return batch;
  }

  fs::path path() const { return folder_ / "r"; }
  /// Returns a span that begins and ends in the middle of chunks.
  TimeSpan some() const { return {calls_[110].start_ns + 1, end_of_span(calls_[777]) - 1}; }
  TimeSpan whole() const { return *queries::span_of_calls(queries::Report(path()), run_); }

  TemporaryFolder folder_;
  std::int64_t run_ = 0;
  std::vector<OpCall> calls_;
};

TEST_F(Spans, BeginAndEndWithTheCalls) {
  std::int64_t last = 0;
  for (const OpCall& call : calls_) last = std::max(last, end_of_span(call));
  EXPECT_EQ(whole(), (TimeSpan{calls_.front().start_ns, last}));
  EXPECT_EQ(queries::span_of_calls(queries::Report(path()), 99), std::nullopt);
}

TEST_F(Spans, KeepTheTimeOfEachThreadAndClassInAnyNumberOfBins) {
  Times expected;
  for (const OpCall& call : calls_) expected[call.thread][kind_of(call)] += call.duration_ns;
  for (const int bins : {1, 7, 500, queries::kMostTrackBins}) {
    const queries::TrackSummary summary = queries::track_summary(queries::Report(path()), run_, whole(), bins);
    EXPECT_EQ(summary.calls, std::ssize(calls_));
    Times times;
    for (const queries::TrackRow& track : summary.tracks) {
      ASSERT_EQ(std::ssize(track.bins), bins);
      for (const ClassTimes& bin : track.bins) add_times(times[track.track.value()], bin);
    }
    EXPECT_EQ(times, expected) << bins << " bins";
  }
}

TEST_F(Spans, PutTimeWhereItWas) {
  constexpr int kBins = 64;
  const queries::TrackSummary summary = queries::track_summary(queries::Report(path()), run_, some(), kBins);
  const double bin_ns = static_cast<double>(some().to_ns - some().from_ns) / kBins;
  std::vector<double> expected(kBins);
  for (const OpCall& call : calls_) {
    for (int bin = 0; bin < kBins; ++bin) {
      const double from = static_cast<double>(some().from_ns) + bin * bin_ns;
      const double to = std::min(from + bin_ns, static_cast<double>(end_of_span(call)));
      expected[static_cast<std::size_t>(bin)] += std::max(0.0, to - std::max(from, static_cast<double>(call.start_ns)));
    }
  }
  double got_so_far = 0;
  double expected_so_far = 0;
  for (std::size_t bin = 0; bin < kBins; ++bin) {
    for (const queries::TrackRow& track : summary.tracks) {
      for (const std::int64_t ns : track.bins[bin]) got_so_far += static_cast<double>(ns);
    }
    expected_so_far += expected[bin];
    // Tracks know time only by the parts of a chunk, so the time of one part may be in a wrong bin. In this report
    // every part is shorter than a bin.
    EXPECT_NEAR(got_so_far, expected_so_far, 2 * bin_ns) << "up to bin " << bin;
  }
}

TEST_F(Spans, GiveTheCallsThatTouchThem) {
  const auto calls = queries::span_calls(queries::Report(path()), run_, some(), kAll);
  ASSERT_TRUE(calls);
  const auto is_in = [&](const OpCall& call) {
    return call.start_ns <= some().to_ns && end_of_span(call) >= some().from_ns;
  };
  EXPECT_EQ(std::ssize(*calls), std::ranges::count_if(calls_, is_in));
  EXPECT_TRUE(std::ranges::is_sorted(
      *calls, {}, [](const queries::SpanCall& call) { return std::pair(call.thread, call.start_ns); }));
  for (const queries::SpanCall& call : *calls) {
    EXPECT_EQ(call.place.second, call.segment % 2);
    const auto same = std::ranges::find_if(calls_, [&](const OpCall& other) {
      return other.start_ns == call.start_ns && end_of_span(other) == call.end_ns &&
             other.call_site == call.place.first && other.thread == call.thread && other.segment == call.segment;
    });
    ASSERT_NE(same, calls_.end());
    EXPECT_EQ(call.kind, precision_class_of(*same));
  }
}

TEST_F(Spans, OfTooManyCallsAreNotDecoded) {
  EXPECT_FALSE(queries::span_calls(queries::Report(path()), run_, whole(), std::ssize(calls_) - 1));
  EXPECT_TRUE(queries::span_calls(queries::Report(path()), run_, whole(), std::ssize(calls_)));
  EXPECT_TRUE(queries::span_calls(queries::Report(path()), run_, {calls_[200].start_ns, calls_[200].start_ns}, 120));
}

TEST_F(Spans, HaveTheSameTotalsHoweverManyCallsAreLookedAt) {
  queries::SpanTotals expected;
  for (const OpCall& call : calls_) {
    if (call.start_ns > some().to_ns || end_of_span(call) < some().from_ns) continue;
    const std::int64_t ns = std::min(end_of_span(call), some().to_ns) - std::max(call.start_ns, some().from_ns);
    ++expected.calls;
    expected.cast_bytes += call.cast_bytes;
    expected.times[kind_of(call)] += ns;
    expected.sites[{call.call_site, call.segment % 2}] += ns;
  }
  // The number of calls in the chunks that the span touches.
  const std::int64_t looked_at = queries::track_summary(queries::Report(path()), run_, some(), 1).calls;
  for (const std::int64_t most : {std::int64_t{0}, looked_at - 1, looked_at, kAll}) {
    const queries::SpanTotals totals = queries::span_totals(queries::Report(path()), run_, some(), most);
    EXPECT_EQ(totals.calls, expected.calls);
    EXPECT_EQ(totals.cast_bytes, expected.cast_bytes);
    EXPECT_EQ(totals.times, expected.times);
    EXPECT_EQ(totals.sites, most < looked_at ? queries::SpanTotals().sites : expected.sites);
  }
}

TEST_F(Spans, FindTheNextCallFromAPlace) {
  const queries::Report report(path());
  const SiteInStep place{3, 1};
  std::int64_t from = 0;
  std::vector<std::int64_t> starts;
  while (const auto call = queries::next_call(report, run_, place, from, kAll)) {
    EXPECT_EQ(call->place, place);
    starts.push_back(call->start_ns);
    from = call->start_ns + 1;
  }
  std::vector<std::int64_t> expected;
  for (const OpCall& call : calls_) {
    if (SiteInStep{call.call_site, call.segment % 2} == place) expected.push_back(call.start_ns);
  }
  std::ranges::sort(expected);
  expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
  EXPECT_EQ(starts, expected);
}

TEST_F(Spans, FindTheNextCallWhereverTheFirstChunkHasIt) {
  const queries::Report report(path());
  const OpCall& first = calls_.front();
  const SiteInStep place{first.call_site, 1};
  const auto next = queries::next_call(report, run_, place, first.start_ns, 0);
  ASSERT_TRUE(next) << "a chunk is looked at whatever it holds";
  EXPECT_EQ(next->start_ns, first.start_ns);
  EXPECT_FALSE(queries::next_call(report, run_, {99, 0}, 0, kAll));
}

TEST_F(Spans, NameTheirCalls) {
  const queries::CallTexts texts = queries::call_texts(queries::Report(path()), run_);
  EXPECT_EQ(texts.names.at({2, 0}), "layer2/mm");
  EXPECT_EQ(texts.names.at({2, 1}), "layer2/mm#2");
  EXPECT_EQ(texts.signatures.at(1), "f32[8,4]");
  EXPECT_EQ(texts.sites.at(2).module, "layer2");
}

TEST_F(Spans, AreNotShownWithoutAChunk) {
  store::Database(path(), store::OpenMode::Write).run("DELETE FROM call_chunk WHERE id = 4");
  EXPECT_THROW((void)queries::track_summary(queries::Report(path()), run_, some(), 10), store::ReportError);
  EXPECT_THROW((void)queries::span_calls(queries::Report(path()), run_, some(), kAll), store::ReportError);
}

TEST_F(Spans, OfDamagedTracksAreNotShown) {
  store::Database(path(), store::OpenMode::Write)
      .run("UPDATE call_chunk SET tracks = substr(tracks, 1, 20) WHERE id = 4");
  EXPECT_THROW((void)queries::track_summary(queries::Report(path()), run_, whole(), 10), store::ReportError);
  EXPECT_THROW((void)queries::span_totals(queries::Report(path()), run_, whole(), 0), store::ReportError);
  EXPECT_TRUE(queries::span_calls(queries::Report(path()), run_, whole(), kAll)) << "needs no tracks";
}

TEST_F(Spans, OfImpossibleTimesAreBoundedWork) {
  store::Database(path(), store::OpenMode::Write)
      .run("UPDATE call_chunk SET start_ns = -9223372036854775807, end_ns = 9223372036854775807 WHERE id % 2 = 0");
  const queries::Report report(path());
  const TimeSpan span = queries::span_of_calls(report, run_).value();
  EXPECT_EQ(queries::track_summary(report, run_, span, 100'000'000).tracks.at(0).bins.size(),
            std::size_t{queries::kMostTrackBins});
  EXPECT_EQ(queries::track_summary(report, run_, {5, 5}, 10).tracks.size(), 0u);
  EXPECT_EQ(queries::track_summary(report, run_, {5, 5}, 10).span, (TimeSpan{5, 5}));
  store::Database(path(), store::OpenMode::Write).run("UPDATE call_chunk SET start_ns = end_ns + 1 WHERE id = 3");
  EXPECT_THROW((void)queries::span_calls(queries::Report(path()), run_, span, kAll), store::ReportError);
}

TEST(OneCall, IsInTheBinsThatItRanIn) {
  const TemporaryFolder folder;
  store::create_report(folder / "r", false);
  store::ReportWriter writer(folder / "r");
  const std::int64_t run = writer.begin_run(start_of("O1"));
  Batch batch;
  batch.calls = {call(1, 1)};
  batch.calls[0].start_ns = 500;
  batch.calls[0].duration_ns = 3'200;
  writer.append(run, batch);
  const auto expect_bins = [&](const TimeSpan& span, const std::vector<double>& expected) {
    const auto summary =
        queries::track_summary(queries::Report(folder / "r"), run, span, static_cast<int>(expected.size()));
    ASSERT_EQ(summary.tracks.size(), 1u);
    for (std::size_t bin = 0; bin < expected.size(); ++bin) {
      const ClassTimes& times = summary.tracks[0].bins.at(bin);
      EXPECT_NEAR(times[static_cast<std::size_t>(PrecisionClass::NonFinite)], expected[bin], 2) << bin;
    }
  };
  expect_bins({0, 4'000}, {500, 1'000, 1'000, 700});
  expect_bins({2'000, 4'000}, {1'000, 700});
  expect_bins({1'000, 2'000}, {500, 500});
}

TEST(ManyThreads, ShareTheLastTrack) {
  const TemporaryFolder folder;
  store::create_report(folder / "r", false);
  store::ReportWriter writer(folder / "r");
  const std::int64_t run = writer.begin_run(start_of("O1"));
  Batch batch;
  for (std::int32_t thread = 0; thread < 100; ++thread) {
    batch.calls.push_back(call(1, 1));
    batch.calls.back().thread = thread;
  }
  writer.append(run, batch);
  const queries::Report report(folder / "r");
  const queries::TrackSummary summary = queries::track_summary(report, run, *queries::span_of_calls(report, run), 1);
  ASSERT_EQ(summary.tracks.size(), queries::kMostTracks + 1);
  EXPECT_EQ(summary.tracks.back().track, std::nullopt);
  EXPECT_EQ(summary.tracks.back().bins[0][static_cast<std::size_t>(PrecisionClass::NonFinite)],
            static_cast<std::int64_t>(100 - queries::kMostTracks) * 2'000);
}

}  // namespace spans_test
}  // namespace ampprof
