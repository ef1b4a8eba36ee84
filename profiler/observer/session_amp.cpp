// SPDX-License-Identifier: Apache-2.0
// What the session is told by an AMP engine or a GradScaler, and by the gradients that meet their errors.

#include <torch/types.h>

#include <cmath>

#include "profiler/calls/call.h"
#include "profiler/nvtx/emit.h"
#include "profiler/observer/session.h"
#include "profiler/torch_hooks/torch_state.h"

namespace ampprof::profiler {

void Session::note_own_types() {
  if (has_engine_ || !expects_fp32_.exchange(false)) return;
  add_missing("FP32 of O0", "the program uses reduced types itself (autocast, or half tensors), and O0 leaves them",
              "compare with a run in which the program's own autocast is off");
}

void Session::engine_started(const std::string& level) {
  has_engine_ = true;
  {
    const auto lock = locked();
    module_names_.expire();  // O2 and O3 have given the parameters half storage
    restart_shadow(first_course());
  }
  if (is_listened_to_) marked_level_ = emission::start(emission::Kind::Level, level.c_str());
  attach_.level = level;
  recorder_.attach_again(attach_);
}

// The program has set its switches since; those of TF32 and of sums decide what its figures mean.
void Session::describe_again(const std::vector<DeviceClocks>& gpus) {
  const std::string level = attach_.level;
  attach_ = describe_torch();
  attach_.settings_json = with_clocks(attach_.settings_json, gpus);
  if (!gpus.empty() && !gpus.front().name.empty()) attach_.device = gpus.front().name;
  attach_.level = level;
  recorder_.attach_again(attach_);
}

std::string Session::parameter_name(const at::Tensor& parameter) {
  const auto lock = locked();
  const std::string* name = module_names_.name_of(parameter.unsafeGetTensorImpl());
  return name == nullptr ? "" : *name;
}

std::string Session::owner_of_gradient(const at::Tensor& gradient) {
  const auto lock = locked();
  return module_names_.owner_of(gradient.unsafeGetTensorImpl());
}

at::Tensor Session::master_of(const at::Tensor& parameter) {
  const auto lock = locked();
  return masters_.of(parameter);
}

std::optional<std::int64_t> Session::deep_segment() {
  const auto lock = locked();
  const Course& course = course_of(ThreadState::current());
  if (!course.deep || !course.steps.current().recorded) return std::nullopt;
  return course.steps.current().id;
}

void Session::input_rounded(const at::Tensor& original, const at::Tensor& rounded) {
  if (options_.impact && !rounded.requires_grad()) rounded_inputs_.add(rounded, original.to(at::kFloat));
}

void Session::weights_updated(WeightUpdate update) {
  recorder_.add([&](Batch& batch) { batch.updates.push_back(std::move(update)); });
}

void Session::add_overhead(std::int64_t ns) { overhead_ns_.fetch_add(ns, std::memory_order_relaxed); }

void Session::add_missing(const std::string& what, const std::string& cause, const std::string& remedy) {
  const auto lock = locked();
  note_missing(what, cause, remedy);
}

void Session::note_missing(const std::string& what, const std::string& cause, const std::string& remedy) {
  Missing& missing = missing_[{what, cause}];
  missing = {.what = what, .count = missing.count + 1, .cause = cause, .remedy = remedy};
}

void Session::memory_seen(std::int64_t resident_bytes) {
  std::int64_t largest = largest_resident_;
  while (resident_bytes > largest && !largest_resident_.compare_exchange_weak(largest, resident_bytes)) {
  }
}

}  // namespace ampprof::profiler
