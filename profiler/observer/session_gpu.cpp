// SPDX-License-Identifier: Apache-2.0
// What GPUs do for the program, where there are some.

#include <algorithm>
#include <iterator>

#include "precision/reference/quiet.h"
#include "profiler/observer/session.h"
#include "profiler/torch_hooks/torch_state.h"

namespace ampprof::profiler {
namespace {

void append(Batch& to, Batch&& from) {
  std::ranges::move(from.activity_names, std::back_inserter(to.activity_names));
  std::ranges::move(from.activities, std::back_inserter(to.activities));
  std::ranges::move(from.missing, std::back_inserter(to.missing));
}

// Whatever runs quietly is ampprof's own.
void quiet_changed(bool begins) {
  Session* session = Session::current();
  if (session == nullptr || session->gpu() == nullptr) return;
  begins ? session->gpu()->push(LaunchedBy::ampprof()) : session->gpu()->pop();
}

}  // namespace

void Session::open_gpu() {
  if (!options_.gpu) return;
  auto opened = GpuRecording::open({.now_ns = [this] { return now_ns(); }, .thread_of = ThreadState::number_of});
  gpu_ = std::move(opened.recording);
  for (const Missing& missing : opened.missing) note_missing(missing.what, missing.cause, missing.remedy);
  if (gpu_) set_quiet_listener(quiet_changed);
}

// On the writer's thread: neither the program nor CUPTI waits for it.
void Session::collect_gpu() {
  if (!gpu_) return;
  Batch batch;
  gpu_->collect(batch);
  recorder_.add([&](Batch& to) { append(to, std::move(batch)); });
}

std::vector<DeviceClocks> Session::finish_gpu(RunDetach& detach) {
  if (!gpu_) return {};
  set_quiet_listener(nullptr);
  wait_for_devices();
  Batch batch;
  GpuRecording::Totals totals = gpu_->finish(batch);
  recorder_.add([&](Batch& to) { append(to, std::move(batch)); });
  detach.gpu_busy_ns = totals.busy_ns;
  detach.overhead_gpu_ns = totals.overhead_ns;
  return std::move(totals.clocks);
}

}  // namespace ampprof::profiler
