// SPDX-License-Identifier: Apache-2.0
#include "profiler/observer/seen_losses.h"

#include <ATen/ATen.h>

#include "precision/tensors/observer_disabled_guard.h"

namespace ampprof::profiler {

void SeenLosses::add(const Seen& seen, const at::Tensor& loss) {
  const tensors::ObserverDisabledGuard guard;
  kept_.push_back({.seen = seen, .value = loss.clone()});
}

void SeenLosses::scale_was(std::int64_t pass, double scale) {
  for (auto& [seen, value] : kept_) {
    if (seen.pass == pass) seen.scale = scale;
  }
}

std::vector<LossValue> SeenLosses::take(const std::function<bool(std::int64_t pass)>& is_open, Device device) {
  constexpr std::size_t kMostLeft = 4096;
  const tensors::ObserverDisabledGuard guard;
  const bool waits = device == Device::WaitFor || kept_.size() > kMostLeft;
  std::vector<LossValue> losses;
  std::erase_if(kept_, [&](const Kept& kept) {
    const auto& [seen, value] = kept;
    if (!seen.scale) return !is_open(seen.pass);
    if (!waits && !value.is_cpu()) return false;
    losses.push_back(
        {.substep = seen.substep, .loss_id = seen.loss_id, .value = value.item().toDouble() / *seen.scale});
    return true;
  });
  return losses;
}

}  // namespace ampprof::profiler
