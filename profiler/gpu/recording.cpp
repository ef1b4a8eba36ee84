// SPDX-License-Identifier: Apache-2.0
#include "profiler/gpu/recording.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <utility>

#include "profiler/gpu/driver.h"

namespace ampprof::profiler {

GpuRecording::GpuRecording(Needs needs)
    : now_ns_(std::move(needs.now_ns)),
      correlator_({.intern = [this](std::string_view text) { return intern(text); },
                   .thread_of = std::move(needs.thread_of)}) {}

bool GpuRecording::names_its_library() { return !SourceOptions::from_environment().library.empty(); }

GpuRecording::Opened GpuRecording::open(Needs needs) {
  SourceOptions options = SourceOptions::from_environment();
  if (!names_its_library() && !has_driver()) return {};
  options.now_ns = needs.now_ns;
  std::unique_ptr<GpuRecording> recording(new GpuRecording(std::move(needs)));
  options.sink = [recording = recording.get()](const ActivityBuffer& buffer) { recording->correlator_.add(buffer); };
  Source::Opened opened = Source::open(std::move(options));
  recording->source_ = std::move(opened.source);
  if (!recording->source_) recording.reset();
  return {std::move(recording), std::move(opened.missing)};
}

std::int32_t GpuRecording::intern(std::string_view text) {
  new_names_.push_back({++names_, std::string(text)});
  return names_;
}

void GpuRecording::take(std::vector<GpuActivity> activities, Batch& batch) {
  for (GpuActivity& activity : activities) {
    const bool is_of_no_call = activity.call_site == 0 && activity.launched_ns != 0;
    if (is_of_no_call && own_passes_.contain(activity.launched_ns))
      activity.call_site = LaunchedBy::ampprof().call_site;
  }
  busy_with_ours_.add(activities);
  std::erase_if(activities,
                [](const GpuActivity& activity) { return activity.call_site == LaunchedBy::ampprof().call_site; });
  busy_.add(activities);
  std::set<std::int32_t> devices;
  for (const GpuActivity& activity : activities) devices.insert(activity.device);
  for (const std::int32_t device : devices) {
    if (const auto reading = monitor_.clocks(device)) clocks_.add(device, *reading);
  }
  std::ranges::move(activities, std::back_inserter(batch.activities));
  std::ranges::move(std::exchange(new_names_, {}), std::back_inserter(batch.activity_names));
}

void GpuRecording::collect(Batch& batch) {
  const std::lock_guard lock(mutex_);
  source_->flush();
  take(correlator_.take(), batch);
}

GpuRecording::Totals GpuRecording::finish(Batch& batch) {
  const std::lock_guard lock(mutex_);
  const std::vector<Missing> of_source = source_->close();
  take(correlator_.finish(), batch);
  std::ranges::copy(of_source, std::back_inserter(batch.missing));
  std::ranges::copy(missing_of(correlator_.counts()), std::back_inserter(batch.missing));
  std::vector<DeviceClocks> clocks = clocks_.clocks();
  for (DeviceClocks& of_device : clocks) of_device.name = monitor_.name(of_device.device);
  const std::int64_t busy_ns = busy_.total_ns();
  return {busy_ns, std::max<std::int64_t>(busy_with_ours_.total_ns() - busy_ns, 0), std::move(clocks)};
}

}  // namespace ampprof::profiler
