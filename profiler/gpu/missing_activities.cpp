// SPDX-License-Identifier: Apache-2.0
#include "profiler/gpu/missing_activities.h"

namespace ampprof::profiler {
namespace {

constexpr auto kFewerSteps = "record fewer steps with --every or --steps";
constexpr auto kSameRelease = "check that CUPTI and the driver belong to the same CUDA release";

}  // namespace

std::vector<Missing> missing_of(const CorrelationCounts& counts) {
  std::vector<Missing> missing;
  const auto say = [&](std::int64_t count, const char* what, const char* cause, const char* remedy) {
    if (count != 0) missing.push_back({.what = what, .count = count, .cause = cause, .remedy = remedy});
  };
  say(counts.dropped, "records of GPU activity", "CUPTI dropped them: its buffers were full", kFewerSteps);
  say(counts.no_times, "times of GPU activity", "CUPTI had no device memory left to store them",
      "leave more device memory free, or record fewer steps with --every or --steps");
  say(counts.ends_early, "times of GPU activity", "CUPTI's records end before they start", kSameRelease);
  say(counts.repeated, "duplicate records of GPU activity", "CUPTI delivered them twice; each is counted once", "");
  say(counts.unknown_launch, "op calls that launched GPU activity", "CUPTI has no record of what launched the activity",
      kFewerSteps);
  say(counts.without_api, "launch times of GPU activity",
      "CUPTI has no record of the CUDA call that launched the activity", kFewerSteps);
  say(counts.graph_nodes, "op calls of activities inside CUDA graphs",
      "the ops ran when the graph was captured, so its activities belong to the graph as a whole",
      "run without CUDA graphs to see the activities of each op");
  say(counts.whole_graphs, "activities inside CUDA graphs", "CUPTI recorded each graph as a whole",
      "run without CUDA graphs");
  say(counts.unread, "records of GPU activity", "they are of a kind that this build does not know", kSameRelease);
  say(counts.cut_records, "records of GPU activity", "they are shorter than this build expects", kSameRelease);
  say(counts.cut_buffers, "the rest of buffers of GPU activity", "a record in them is incomplete or damaged",
      kFewerSteps);
  return missing;
}

}  // namespace ampprof::profiler
