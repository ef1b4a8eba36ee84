// SPDX-License-Identifier: Apache-2.0
#include "profiler/observer/nvtx_ranges.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "profiler/calls/thread_state.h"
#include "profiler/nvtx/emit.h"
#include "profiler/recorder/missing_notes.h"
#include "profiler/recorder/recorder.h"
#include "profiler/recorder/run_clock.h"

namespace ampprof::profiler {
namespace {

void append(Batch& to, TakenRanges&& from) {
  std::ranges::move(from.names, std::back_inserter(to.range_names));
  std::ranges::move(from.ranges, std::back_inserter(to.ranges));
}

}  // namespace

NvtxRanges::NvtxRanges(const RunClock& clock, MissingNotes& missing)
    : ranges_(*new Ranges(
          {.now_ns = [&clock] { return clock.now_ns(); }, .thread = [] { return ThreadState::current().number; }})),
      is_listened_to_(emission::is_listened_to()) {
  if (!is_listened_to_) return;
  missing.note("ranges that the program marks", "another tool receives them (NVTX_INJECTION64_PATH names the tool)",
               "record without the other tool to have the ranges in the report");
}

void NvtxRanges::collect(Recorder& recorder) {
  TakenRanges taken = ranges_.take();
  if (taken.ranges.empty() && taken.names.empty()) return;
  recorder.add([&](Batch& batch) { append(batch, std::move(taken)); });
}

void NvtxRanges::finish(std::int64_t now_ns, Recorder& recorder) {
  emission::end(step_);
  emission::end(level_);
  TakenRanges taken = ranges_.finish(now_ns);
  recorder.add([&](Batch& batch) {
    append(batch, std::move(taken));
    for (Missing& missing : missing_of(ranges_.counts())) batch.missing.push_back(std::move(missing));
  });
}

void NvtxRanges::begin_level(const std::string& level) {
  if (is_listened_to_) level_ = emission::start(emission::Kind::Level, level.c_str());
}

void NvtxRanges::begin_step(std::int64_t step) {
  if (!is_listened_to_) return;
  emission::end(step_);
  step_ = emission::start(emission::Kind::Step, ("step " + std::to_string(step)).c_str());
}

}  // namespace ampprof::profiler
