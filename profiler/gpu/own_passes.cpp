// SPDX-License-Identifier: Apache-2.0
#include "profiler/gpu/own_passes.h"

#include <algorithm>

namespace ampprof::profiler {

void OwnPasses::begin(std::int64_t now_ns) {
  const std::lock_guard lock(mutex_);
  running_[std::this_thread::get_id()] = now_ns;
}

void OwnPasses::end(std::int64_t now_ns) {
  const std::lock_guard lock(mutex_);
  const auto pass = running_.extract(std::this_thread::get_id());
  if (pass.empty()) return;
  ended_.push_back({pass.mapped(), now_ns});
  while (ended_.front().ended_ns < now_ns - kRemembered) ended_.pop_front();
}

bool OwnPasses::contain(std::int64_t ns) const {
  const std::lock_guard lock(mutex_);
  return std::ranges::any_of(running_, [&](const auto& pass) { return pass.second <= ns; }) ||
         std::ranges::any_of(ended_, [&](const Pass& pass) { return pass.begun_ns <= ns && ns <= pass.ended_ns; });
}

}  // namespace ampprof::profiler
