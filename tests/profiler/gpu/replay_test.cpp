// SPDX-License-Identifier: Apache-2.0
// Replays recordings: reads the bytes of CUPTI's records and attributes the activity.
#include "profiler/gpu/replay.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <set>

#include "profiler/gpu/correlate.h"
#include "tests/temporary_folder.h"

namespace ampprof::profiler {
namespace replay_test {

struct Recording {
  const char* file;
  std::size_t bytes_cut;  ///< removed from the end of the file
  std::vector<GpuActivity> activities;
  std::vector<std::string> causes;  ///< causes of missing activity
};

void PrintTo(const Recording& recording, std::ostream* out) { *out << recording.file << " -" << recording.bytes_cut; }

class GpuReplay : public testing::TestWithParam<Recording> {};

TEST_P(GpuReplay, GivesTheActivitiesAndWhatIsMissing) {
  std::string bytes = test_support::bytes_of(std::filesystem::path(RECORDINGS) / GetParam().file);
  ASSERT_GT(bytes.size(), GetParam().bytes_cut);
  bytes.resize(bytes.size() - GetParam().bytes_cut);
  const ActivityDump dump = read_activities(std::as_bytes(std::span(bytes)));
  std::int32_t names = 0;
  Correlator correlator({.intern = [&](std::string_view) { return ++names; },
                         .thread_of = [](std::uint32_t thread) { return thread == 11 ? 1 : 0; }});
  for (const RawBuffer& raw : dump.buffers) correlator.add(activities_of(raw));
  EXPECT_EQ(correlator.finish(), GetParam().activities);
  std::vector<std::string> causes;
  for (const Missing& missing : dump.missing) causes.push_back(missing.cause);
  for (const Missing& missing : missing_of(correlator.counts())) causes.push_back(missing.cause);
  EXPECT_EQ(causes, GetParam().causes);
}

GpuActivity activity(std::int64_t call_site, std::int64_t start, std::int64_t duration, std::int64_t launched,
                     std::int32_t name) {
  return {.segment = call_site == 0 ? 0 : 1,
          .call_site = call_site,
          .start_ns = start,
          .duration_ns = duration,
          .launched_ns = launched,
          .name = name,
          .stream = 7,
          .thread = launched == 0 ? 0 : 1};
}

GpuActivity moved(GpuActivity activity, GpuActivityKind kind, std::int64_t bytes) {
  activity.kind = kind;
  activity.bytes = bytes;
  return activity;
}

GpuActivity on(std::int32_t stream, GpuActivity activity) {
  activity.stream = stream;
  return activity;
}

GpuActivity in_graph(std::int32_t graph, GpuActivity activity) {
  activity.graph = graph;
  return activity;
}

INSTANTIATE_TEST_SUITE_P(
    Recordings, GpuReplay,
    testing::Values(
        Recording{"plain", 0, {activity(5, 200, 50, 100, 1), activity(6, 400, 60, 300, 2)}, {}},
        Recording{"plain",
                  1,
                  {activity(5, 200, 50, 100, 1)},
                  {"the file ends too early", "a record in them is incomplete or damaged"}},
        Recording{"out_of_order", 0, {on(8, activity(5, 220, 50, 110, 1)), activity(5, 200, 50, 100, 1)}, {}},
        Recording{"copies",
                  0,
                  {moved(activity(5, 200, 9, 100, 1), GpuActivityKind::Memcpy, 64),
                   moved(activity(5, 300, 9, 100, 2), GpuActivityKind::Memcpy, 0),
                   moved(activity(5, 400, 9, 100, 3), GpuActivityKind::Memset, 9)},
                  {"CUPTI dropped them: its buffers were full"}},
        Recording{"graph",
                  0,
                  {in_graph(2, activity(5, 200, 50, 100, 1)), in_graph(2, activity(5, 200, 50, 100, 2))},
                  {"the ops ran when the graph was captured, so its activities belong to the graph as a whole",
                   "CUPTI recorded each graph as a whole", "a record in them is incomplete or damaged"}},
        Recording{"faults",
                  0,
                  {activity(0, 200, 10, 0, 1)},
                  {"CUPTI dropped them: its buffers were full", "CUPTI had no device memory left to store them",
                   "CUPTI's records end before they start", "CUPTI delivered them twice; each is counted once",
                   "CUPTI has no record of what launched the activity",
                   "they are of a kind that this build does not know"}}));

/// CUPTI's records of 14 steps of tests/end_to_end/programs/cuda_train.py on an H100 (CUDA 13.0).
TEST(GpuReplay, OfATrainingOnAnH100IsAttributedWhole) {
  const std::string bytes = test_support::bytes_of(std::filesystem::path(H100_RECORDINGS) / "h100_training");
  const ActivityDump dump = read_activities(std::as_bytes(std::span(bytes)));
  EXPECT_TRUE(dump.missing.empty());
  std::set<std::string> names;
  Correlator correlator({.intern =
                             [&](std::string_view name) {
                               names.emplace(name);
                               return static_cast<std::int32_t>(names.size());
                             },
                         .thread_of = [](std::uint32_t) { return 1; }});
  for (const RawBuffer& raw : dump.buffers) correlator.add(activities_of(raw));
  std::int64_t kernels = 0;
  std::int64_t of_ampprof = 0;
  std::int64_t last = 0;
  for (const GpuActivity& activity : correlator.finish()) {
    EXPECT_NE(activity.call_site, 0);
    EXPECT_GT(activity.duration_ns, 0);
    EXPECT_LE(activity.launched_ns, activity.start_ns);
    kernels += activity.kind == GpuActivityKind::Kernel;
    of_ampprof += activity.call_site == LaunchedBy::ampprof().call_site;
    last = std::max(last, activity.segment);
  }
  EXPECT_EQ(kernels, 496);
  EXPECT_EQ(of_ampprof, 75) << "it brings losses and scales";
  EXPECT_EQ(last, 16) << "14 steps, and what comes before and after them";
  EXPECT_TRUE(missing_of(correlator.counts()).empty());
}

}  // namespace replay_test
}  // namespace ampprof::profiler
