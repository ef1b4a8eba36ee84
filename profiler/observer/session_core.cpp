// SPDX-License-Identifier: Apache-2.0
#include "profiler/observer/session_core.h"

#include <algorithm>

#include "precision/tensors/device_memory_budget.h"
#include "precision/tensors/observer_disabled_guard.h"
#include "profiler/gradient_impact/gradient_replays.h"
#include "profiler/observer/course.h"
#include "profiler/torch_hooks/torch_state.h"

namespace ampprof::profiler {

SessionCore::SessionCore(const recording::Options& asked)
    : options(asked),
      attach(describe_torch(/*on_gpu=*/false)),
      courses(courses_for(options)),
      recorder(options.report, options.run, attach, Recorder::kInterval, options.max_bytes,
               std::max<std::size_t>(courses.size(), 1)),
      ranges(clock, missing),
      room(std::make_unique<tensors::DeviceMemoryBudget>()),
      state(clock) {}

SessionCore::~SessionCore() = default;

bool SessionCore::has_shadow() const { return !courses.empty() && courses.front().shadow != nullptr; }

bool SessionCore::has_recipes() const { return !courses.empty() && courses.front().recipes != nullptr; }

std::vector<at::Tensor> SessionCore::in_shadows(const at::Tensor& tensor) const {
  const tensors::ObserverDisabledGuard guard;
  std::vector<at::Tensor> found;
  for (const Course& course : courses) {
    found.push_back(course.shadow ? course.shadow->of(tensor) : at::Tensor());
  }
  return found;
}

void SessionCore::restart_lost_shadows() const {
  for (const Course& course : courses) {
    if (course.shadow) course.shadow->restart_lost();
  }
}

void SessionCore::lose_in_shadows(c10::ArrayRef<c10::IValue> results) const {
  for (const Course& course : courses) {
    if (course.shadow) course.shadow->lose(results);
  }
}

void SessionCore::restart_shadows() const {
  for (const Course& course : courses) {
    if (course.shadow) course.shadow->restart();
  }
}

}  // namespace ampprof::profiler
