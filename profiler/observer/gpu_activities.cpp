// SPDX-License-Identifier: Apache-2.0
#include "profiler/observer/gpu_activities.h"

#include <algorithm>
#include <iterator>

#include "profiler/calls/thread_state.h"
#include "profiler/gpu/refusal.h"
#include "profiler/recorder/missing_notes.h"
#include "profiler/recorder/recorder.h"
#include "profiler/recorder/run_clock.h"

namespace ampprof::profiler {
namespace {

void append(Batch& to, Batch&& from) {
  std::ranges::move(from.activity_names, std::back_inserter(to.activity_names));
  std::ranges::move(from.activities, std::back_inserter(to.activities));
  std::ranges::move(from.missing, std::back_inserter(to.missing));
}

}  // namespace

void GpuActivities::want() {
  is_wanted_ = true;
  if (GpuRecording::names_its_library()) open();
}

bool GpuActivities::program_uses_one() {
  if (is_used_.exchange(true)) return false;
  if (is_wanted_ && !GpuRecording::names_its_library()) open();
  return true;
}

void GpuActivities::program_profiles_itself() {
  if (!has_other_profiler_.exchange(true)) recording()->other_profiler_began();
}

void GpuActivities::open() {
  auto opened = GpuRecording::open({.now_ns = [this] { return clock_.now_ns(); }, .thread_of = ThreadState::number_of});
  recording_ = std::move(opened.recording);
  for (const Missing& each : opened.missing) missing_.note(each.what, each.cause, each.remedy);
  current_.store(recording_.get(), std::memory_order_release);
}

std::int64_t GpuActivities::site_of(const std::string& what) {
  const auto [found, is_new] = sites_.try_emplace(what, 0);
  if (is_new && make_site_) found->second = make_site_(what, static_cast<std::int32_t>(sites_.size()));
  return found->second;
}

void GpuActivities::name_others(std::vector<GpuActivity>& activities) {
  for (GpuActivity& activity : activities) {
    if (activity.call_site == LaunchedBy::unrecorded_step().call_site) {
      activity.call_site = site_of("steps that are not recorded");
    } else if (activity.graph != 0) {
      activity.call_site = site_of("CUDA graph " + std::to_string(activity.graph));
    }
  }
}

void GpuActivities::collect(Recorder& recorder) {
  if (recording() == nullptr) return;
  const std::lock_guard lock(handing_over_);
  if (is_closed_) return;
  Batch batch;
  recording()->collect(batch);
  name_others(batch.activities);
  recorder.add([&](Batch& to) { append(to, std::move(batch)); });
}

/// Returns whether CUPTI has delivered nothing although the program uses a GPU and no other profiler uses CUPTI.
bool GpuActivities::is_silent() const { return is_used_ && !has_other_profiler_ && !recording()->has_delivered(); }

void GpuActivities::close(Recorder& recorder) {
  if (recording() == nullptr) return;
  const std::lock_guard lock(handing_over_);
  if (std::exchange(is_closed_, true)) return;
  Batch batch;
  totals_ = recording()->finish(batch);
  if (is_silent()) batch.missing.push_back(nothing_delivered());
  name_others(batch.activities);
  recorder.add([&](Batch& to) { append(to, std::move(batch)); });
}

std::vector<DeviceClocks> GpuActivities::finish(Recorder& recorder, RunDetach& detach) {
  if (recording() == nullptr) return {};
  close(recorder);
  detach.gpu_busy_ns = totals_.busy_ns;
  detach.overhead_gpu_ns = totals_.overhead_ns;
  return totals_.clocks;
}

void GpuActivities::release() {
  if (recording() != nullptr) recording()->release();
}

void GpuActivities::drop() {
  if (recording() == nullptr) return;
  Batch nobody_reads_it;
  recording()->finish(nobody_reads_it);
  recording()->release();
}

}  // namespace ampprof::profiler
