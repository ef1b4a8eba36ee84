// SPDX-License-Identifier: Apache-2.0
#include "profiler/observer/gpu_activities.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "profiler/calls/thread_state.h"
#include "profiler/recorder/missing_notes.h"
#include "profiler/recorder/recorder.h"
#include "profiler/recorder/run_clock.h"
#include "profiler/torch_hooks/torch_state.h"

namespace ampprof::profiler {
namespace {

void append(Batch& to, Batch&& from) {
  std::ranges::move(from.activity_names, std::back_inserter(to.activity_names));
  std::ranges::move(from.activities, std::back_inserter(to.activities));
  std::ranges::move(from.missing, std::back_inserter(to.missing));
}

}  // namespace

void GpuActivities::open(const RunClock& clock, MissingNotes& missing) {
  auto opened =
      GpuRecording::open({.now_ns = [&clock] { return clock.now_ns(); }, .thread_of = ThreadState::number_of});
  recording_ = std::move(opened.recording);
  for (const Missing& each : opened.missing) missing.note(each.what, each.cause, each.remedy);
}

void GpuActivities::collect(Recorder& recorder) {
  if (!recording_) return;
  Batch batch;
  recording_->collect(batch);
  recorder.add([&](Batch& to) { append(to, std::move(batch)); });
}

std::vector<DeviceClocks> GpuActivities::finish(Recorder& recorder, RunDetach& detach) {
  if (!recording_) return {};
  wait_for_devices();
  Batch batch;
  GpuRecording::Totals totals = recording_->finish(batch);
  recorder.add([&](Batch& to) { append(to, std::move(batch)); });
  detach.gpu_busy_ns = totals.busy_ns;
  detach.overhead_gpu_ns = totals.overhead_ns;
  return std::move(totals.clocks);
}

void GpuActivities::drop() {
  if (!recording_) return;
  Batch nobody_reads_it;
  recording_->finish(nobody_reads_it);
}

}  // namespace ampprof::profiler
