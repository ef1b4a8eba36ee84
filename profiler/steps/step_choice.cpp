// SPDX-License-Identifier: Apache-2.0
#include "profiler/steps/step_choice.h"

#include <cstddef>

namespace ampprof::profiler {
namespace {

constexpr std::size_t kKept = 64;  // steps; several loops may be at different ones
constexpr double kNewest = 0.5;    // weight of the step that was measured last

}  // namespace

bool StepChoice::records(const recording::Options& options, std::int64_t step, std::int64_t now_ns,
                         std::int64_t overhead_ns) {
  if (!options.records(step, now_ns)) return false;
  if (!options.overhead || options.measures_all()) return true;
  if (const auto known = chosen_.find(step); known != chosen_.end()) return known->second;
  const bool is_chosen = affords(*options.overhead, step, now_ns, overhead_ns);
  chosen_[step] = is_chosen;
  if (chosen_.size() > kKept) chosen_.erase(chosen_.begin());
  return is_chosen;
}

bool StepChoice::affords(double share, std::int64_t step, std::int64_t now_ns, std::int64_t overhead_ns) {
  learn(overhead_ns);
  const double allowed_ns = share * static_cast<double>(now_ns - overhead_ns);
  is_recording_ = step <= kFirstSteps || static_cast<double>(overhead_ns) + cost_ns_ <= allowed_ns;
  begun_overhead_ns_ = overhead_ns;
  return is_recording_;
}

void StepChoice::learn(std::int64_t overhead_ns) {
  if (!is_recording_) return;
  const auto cost_ns = static_cast<double>(overhead_ns - begun_overhead_ns_);
  cost_ns_ = cost_ns_ == 0.0 ? cost_ns : cost_ns_ + kNewest * (cost_ns - cost_ns_);
}

}  // namespace ampprof::profiler
