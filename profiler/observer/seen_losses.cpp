// SPDX-License-Identifier: Apache-2.0
#include "profiler/observer/seen_losses.h"

#include <ATen/ATen.h>

#include <algorithm>

#include "precision/tensors/numbers_later.h"
#include "precision/tensors/observer_disabled_guard.h"

namespace ampprof::profiler {

void SeenLosses::add(const Seen& seen, const at::Tensor& loss, tensors::DeviceResults& results) {
  const tensors::ObserverDisabledGuard guard;
  const auto value = std::make_shared<std::optional<double>>();
  kept_.push_back({.seen = seen, .value = value});
  if (loss.is_cpu()) {
    *value = loss.item().toDouble();
  } else {
    tensors::numbers_later({loss}, results, [value](std::span<const double> arrived) { *value = arrived[0]; });
  }
}

void SeenLosses::scale_was(std::int64_t pass, double scale) {
  for (auto& [seen, value] : kept_) {
    if (seen.pass == pass) seen.scale = scale;
  }
}

std::size_t SeenLosses::waiting() const {
  return static_cast<std::size_t>(std::ranges::count_if(kept_, [](const Kept& kept) { return !*kept.value; }));
}

std::vector<LossValue> SeenLosses::take(const std::function<bool(std::int64_t pass)>& is_open) {
  std::vector<LossValue> losses;
  std::erase_if(kept_, [&](const Kept& kept) {
    const auto& [seen, value] = kept;
    if (!seen.scale) return !is_open(seen.pass);
    if (!*value) return false;
    losses.push_back({.substep = seen.substep, .loss_id = seen.loss_id, .value = **value / *seen.scale});
    return true;
  });
  return losses;
}

}  // namespace ampprof::profiler
