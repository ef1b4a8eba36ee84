// SPDX-License-Identifier: Apache-2.0
#include "amp_core/engine/overflow_flag.h"

#include <ATen/Functions.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include <algorithm>

#include "amp_core/engine/replicas.h"

namespace amp {

void OverflowFlag::Number::start_reading() {
  const at::Device device = on_device.device();
  on_host = at::empty(on_device.sizes(), at::TensorOptions().dtype(at::kFloat).pinned_memory(device.is_cuda()));
  on_host.copy_(on_device, /*non_blocking=*/true);
  arrived.emplace(device.type());
  if (device.is_cuda()) arrived->record(c10::impl::VirtualGuardImpl(device.type()).getStream(device));
}

at::Tensor OverflowFlag::Number::read() const {
  if (!arrived) return on_device.cpu();
  if (!arrived->query()) arrived->synchronize();
  return on_host;
}

at::Tensor& OverflowFlag::on(at::Device device) {
  const auto is_there = [&](const Number& flag) { return flag.on_device.device() == device; };
  const auto found = std::find_if(flags_.begin(), flags_.end(), is_there);
  if (found != flags_.end()) return found->on_device;
  flags_.push_back({at::zeros({1}, at::TensorOptions(device).dtype(at::kFloat))});
  return flags_.back().on_device;
}

bool OverflowFlag::is_on_cuda() const {
  return std::any_of(flags_.begin(), flags_.end(), [](const Number& flag) { return flag.on_device.is_cuda(); });
}

std::vector<at::Tensor> OverflowFlag::of_each_device() const {
  std::vector<at::Tensor> flags;
  for (const Number& flag : flags_) flags.push_back(flag.on_device);
  return flags;
}

at::Tensor OverflowFlag::collected() const {
  at::Tensor any = flags_.empty() ? at::zeros({1}) : flags_.front().on_device.clone();
  for (const Number& flag : flags_) any = at::maximum(any, flag.on_device.to(any.device(), /*non_blocking=*/true));
  return any;
}

void OverflowFlag::agree(const Replicas& replicas, double scale) {
  const at::Tensor own = collected();
  const at::Tensor largest = replicas.largest_of_ranks(
      at::cat({own, at::full({1}, scale, own.options()), at::full({1}, -scale, own.options())}));
  flags_.clear();
  flags_.push_back({largest.narrow(0, 0, 1)});
  scales_ = Number{largest.narrow(0, 1, 2)};
}

std::optional<ScalesOfRanks> OverflowFlag::scales_of_ranks() const {
  if (!scales_) return std::nullopt;
  const at::Tensor read = scales_->read();
  return ScalesOfRanks{.least = -read[1].item<double>(), .largest = read[0].item<double>()};
}

void OverflowFlag::start_reading() {
  if (!is_on_cuda()) return;
  for (Number& flag : flags_) flag.start_reading();
  if (scales_) scales_->start_reading();
}

bool OverflowFlag::is_set() const {
  return std::any_of(flags_.begin(), flags_.end(),
                     [](const Number& flag) { return flag.read().item<float>() != 0.0F; });
}

}  // namespace amp
