// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <algorithm>

#include "gui/data/timeline.h"
#include "gui/models/timeline_text.h"
#include "reports/queries/run_names.h"
#include "tests/cli/gpu_report.h"
#include "tests/temporary_folder.h"

namespace ampprof::gui {
namespace timeline_of_gpu_test {

constexpr std::int64_t kStep = 1'000'000;
constexpr std::int64_t kMicrosecond = 1'000;

class TimelineOfGpu : public testing::Test {
 protected:
  TimelineOfGpu() {
    cli::write_gpu_report(folder_ / "r");
    report_.emplace(folder_ / "r");
    timeline_ = readTimelineRun(*report_, queries::runs_named(*report_).at(1).id);
  }

  TimelinePicture picture(std::int64_t most) const {
    return readTimelinePicture(*report_, timeline_, timeline_.whole, 100, most);
  }
  const std::vector<TimelineItem>& items(const TimelinePicture& picture, TrackId stream) const {
    return *picture
                .tracks[timeline_.trackOf(queries::TrackKind::Streams,
                                          stream_track(0, static_cast<std::int32_t>(stream)))]
                .items;
  }

  test_support::TemporaryFolder folder_;
  std::optional<queries::Report> report_;
  TimelineRun timeline_;
};

TEST_F(TimelineOfGpu, HasTracksOfThreadsThenOfStreams) {
  QStringList names;
  for (const TimelineTrack& track : timeline_.tracks) names << nameOf(track);
  EXPECT_EQ(names, (QStringList{"thread 0", "GPU 0 stream 7", "GPU 0 stream 13"}));
  EXPECT_EQ(timeline_.tracks[0].range_levels, 2);
  EXPECT_EQ(timeline_.tracks[0].levels, 2 + 3);
  EXPECT_EQ(timeline_.tracks[1].levels, 0);
}

TEST_F(TimelineOfGpu, TellsKernelsApartByTensorCores) {
  const TimelinePicture all = picture(1'000);
  ASSERT_TRUE(all.isExact());
  std::vector<ActivityClass> kinds;  // classes in the first step, which lasts from kStep to 2 * kStep
  for (const TimelineItem& item : items(all, 7)) {
    if (item.start_ns < 2 * kStep) kinds.push_back(static_cast<ActivityClass>(item.kind));
  }
  EXPECT_EQ(kinds, (std::vector{ActivityClass::Kernel, ActivityClass::TensorCores, ActivityClass::Kernel,
                                ActivityClass::Kernel, ActivityClass::Matmul, ActivityClass::Memset}));
  EXPECT_EQ(static_cast<ActivityClass>(items(all, 13).front().kind), ActivityClass::Memcpy);
}

TEST_F(TimelineOfGpu, SumsUpKernelsWithoutLookingAtNames) {
  const TimelinePicture few = picture(10);
  const std::size_t track = timeline_.trackOf(queries::TrackKind::Streams, stream_track(0, 7));
  EXPECT_FALSE(few.tracks[track].items);
  ClassTimes times{};
  for (const ClassTimes& bin : few.tracks[track].bins) add_times(times, bin);
  EXPECT_EQ(times, (ClassTimes{0, 0, 4 * 148 * kMicrosecond, 0, 4 * 4 * kMicrosecond}));
}

TEST_F(TimelineOfGpu, NestsNvtxRangesAboveModules) {
  const TimelinePicture all = picture(1'000);
  const std::vector<Scope>& scopes = all.tracks.front().scopes;
  EXPECT_FALSE(all.hides_ranges);
  EXPECT_EQ(std::ranges::count(scopes, Scope{kStep, 5 * kStep, 0, "epoch"}), 1);
  EXPECT_EQ(std::ranges::count(scopes, Scope{kStep, kStep + 90 * kMicrosecond, 1, "loader: fetch"}), 1);
  EXPECT_TRUE(
      std::ranges::any_of(scopes, [](const Scope& scope) { return scope.depth == 2 && scope.name == "forward"; }));
}

TEST_F(TimelineOfGpu, KnowsWhichCallLaunchedAKernel) {
  const TimelinePicture all = picture(1'000);
  const TimelineItem& call = all.tracks.front().items->front();
  ASSERT_EQ(callSiteOf(call.place, timeline_), "encoder.fc/linear");
  const auto by_call = [&](const TimelineItem& item) { return launched(call, item); };
  EXPECT_EQ(std::ranges::count_if(items(all, 7), by_call), 2) << "a cast and the matmul, of one step";
  EXPECT_EQ(std::ranges::count_if(items(all, 13), by_call), 0) << "launched outside of any call";
}

TEST_F(TimelineOfGpu, SaysWhatAKernelIs) {
  const TimelinePicture all = picture(1'000);
  const QString text = textOf(items(all, 7)[1], timeline_);
  const QStringList lines = text.split('\n');
  EXPECT_TRUE(lines[0].startsWith("sm90_xmma_gemm_f16f16_f16f32")) << text.toStdString();
  EXPECT_EQ(lines[1], "30 µs, began 5 µs after its launch");
  EXPECT_TRUE(lines[2].startsWith("ran on Tensor Cores (name: ")) << text.toStdString();
  EXPECT_EQ(lines[3], "encoder.fc/linear");
  EXPECT_TRUE(textOf(items(all, 13)[0], timeline_).contains("memcpy host to device\n20 µs, 1.05 MB, began 5 µs"));
}

TEST_F(TimelineOfGpu, MeasuresStreams) {
  const TimeSpan span{kStep + 110 * kMicrosecond, kStep + 250 * kMicrosecond};  // cuts through two kernels
  const auto exact = streamTotals(*report_, timeline_.run, span, 1'000);
  ASSERT_EQ(exact.size(), 1u);
  EXPECT_EQ(exact[0].ns, 30 * kMicrosecond);
  EXPECT_EQ(exact[0].kernels, 2);
  const auto summed = streamTotals(*report_, timeline_.run, timeline_.whole, 1);
  ASSERT_EQ(summed.size(), 2u);
  EXPECT_EQ(summed[0].ns, 4 * 152 * kMicrosecond);
  EXPECT_FALSE(summed[0].kernels);
  Measured measured;
  measured.span = span;
  measured.streams = exact;
  const QString text = textOf(measured, timeline_);
  EXPECT_TRUE(text.contains("GPU 0 stream 7: 2 kernels, busy 30 µs (21%)")) << text.toStdString();
}

}  // namespace timeline_of_gpu_test
}  // namespace ampprof::gui
