// SPDX-License-Identifier: Apache-2.0
#include "profiler/observer/seen_losses.h"

#include <ATen/ATen.h>

#include <algorithm>

#include "precision/tensors/observer_disabled_guard.h"
#include "precision/tensors/read_scalars_async.h"

namespace ampprof::profiler {

void SeenLosses::add(const Seen& seen, const at::Tensor& loss, const std::vector<at::Tensor>& in_replays,
                     tensors::DeferredReductions& results) {
  const tensors::ObserverDisabledGuard guard;
  const auto number_of = [&](const at::Tensor& tensor) -> Late {
    if (!tensor.defined()) return nullptr;
    const auto value = std::make_shared<std::optional<double>>();
    if (tensor.is_cpu()) {
      *value = tensor.item().toDouble();
    } else {
      tensors::read_scalars_async({tensor}, results, [value](std::span<const double> arrived) { *value = arrived[0]; });
    }
    return value;
  };
  Kept& kept = kept_.emplace_back(Kept{seen, number_of(loss), {}});
  for (const at::Tensor& in_replay : in_replays) kept.in_replays.push_back(number_of(in_replay));
}

void SeenLosses::scale_was(std::int64_t pass, double scale) {
  for (Kept& kept : kept_) {
    if (kept.seen.pass == pass) kept.seen.scale = scale;
  }
}

std::size_t SeenLosses::waiting() const {
  return static_cast<std::size_t>(std::ranges::count_if(kept_, [](const Kept& kept) { return !kept.has_arrived(); }));
}

bool SeenLosses::Kept::has_arrived() const {
  return *value && std::ranges::all_of(in_replays, [](const Late& one) { return one == nullptr || one->has_value(); });
}

LossValue SeenLosses::Loss::in(std::size_t run) const {
  LossValue row = value;
  if (run < in_replays.size()) row.shadow_value = in_replays[run];
  return row;
}

std::vector<SeenLosses::Loss> SeenLosses::take(const std::function<bool(std::int64_t pass)>& is_open) {
  std::vector<Loss> losses;
  std::erase_if(kept_, [&](const Kept& kept) {
    const auto& [seen, value, in_replays] = kept;
    if (!seen.scale) return !is_open(seen.pass);
    if (!kept.has_arrived()) return false;
    Loss& loss = losses.emplace_back();
    loss.value = {.segment = seen.segment, .loss_id = seen.loss_id, .value = **value / *seen.scale};
    for (const Late& one : in_replays) {
      loss.in_replays.push_back(one == nullptr ? std::nullopt : std::optional(**one / *seen.scale));
    }
    return true;
  });
  return losses;
}

}  // namespace ampprof::profiler
