// SPDX-License-Identifier: Apache-2.0
#include "profiler/observer/seen_losses.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "precision/tensors/observer_disabled_guard.h"
#include "precision/tensors/read_scalars_async.h"

namespace ampprof::profiler {

void SeenLosses::add(Seen seen, const std::vector<LossTensor>& values, tensors::DeferredReductions& results) {
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
  Kept& kept = kept_.emplace_back(Kept{std::move(seen), {}});
  for (const LossTensor& value : values) {
    Value& late = kept.values.emplace_back(Value{number_of(value.run), {}, {}});
    for (const variant::Counterpart& in_replay : value.in_replays) {
      late.in_replays.push_back(number_of(in_replay.value));
      late.are_decided.push_back(in_replay.is_decided);
    }
  }
}

std::size_t SeenLosses::waiting() const {
  return static_cast<std::size_t>(std::ranges::count_if(kept_, [](const Kept& kept) { return !kept.has_arrived(); }));
}

bool SeenLosses::Value::has_arrived() const {
  const auto is_here = [](const Late& one) { return one == nullptr || one->has_value(); };
  return is_here(run) && std::ranges::all_of(in_replays, is_here);
}

bool SeenLosses::Kept::has_arrived() const { return std::ranges::all_of(values, &Value::has_arrived); }

LossValue SeenLosses::Loss::in(std::size_t run) const {
  LossValue row = value;
  if (run >= in_replays.size()) return row;
  row.shadow_value = in_replays[run];
  row.is_shadow_decided = row.shadow_value && are_decided[run];
  return row;
}

SeenLosses::Taken SeenLosses::take(const Choose& choose) {
  Taken taken;
  std::erase_if(kept_, [&](const Kept& kept) {
    const auto chosen = kept.has_arrived() ? choose(kept.seen.chain) : std::nullopt;
    if (!chosen) return false;
    const Value& value = kept.values.at(*chosen);
    if (value.run == nullptr) {
      ++taken.unknown;
      return true;
    }
    Loss& loss = taken.losses.emplace_back();
    loss.value = {.segment = kept.seen.segment, .loss_id = kept.seen.loss_id, .value = **value.run};
    latest_is_finite_ = std::isfinite(**value.run);
    loss.are_decided = value.are_decided;
    for (const Late& one : value.in_replays) loss.in_replays.push_back(one == nullptr ? std::nullopt : *one);
    return true;
  });
  return taken;
}

}  // namespace ampprof::profiler
