// SPDX-License-Identifier: Apache-2.0
#include "precision/tensors/numbers_of.h"

#include <ATen/ATen.h>

#include <unordered_map>

#include "precision/tensors/observer_disabled_guard.h"

namespace ampprof::tensors {

std::vector<double> numbers_of(const std::vector<at::Tensor>& tensors) {
  const ObserverDisabledGuard guard;
  std::unordered_map<c10::Device, std::vector<std::size_t>> places;
  for (std::size_t i = 0; i < tensors.size(); ++i) places[tensors[i].device()].push_back(i);
  std::vector<double> numbers(tensors.size());
  for (const auto& [device, of_device] : places) {
    const auto count = static_cast<std::int64_t>(of_device.size());
    const at::Tensor there = at::empty({count}, at::TensorOptions(device).dtype(at::kDouble));
    for (std::int64_t i = 0; i < count; ++i) {
      there.select(0, i).copy_(tensors[of_device[static_cast<std::size_t>(i)]].reshape({}));
    }
    const at::Tensor here = there.to(at::kCPU);
    for (std::size_t i = 0; i < of_device.size(); ++i) numbers[of_device[i]] = here.const_data_ptr<double>()[i];
  }
  return numbers;
}

}  // namespace ampprof::tensors
