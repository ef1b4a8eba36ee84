// SPDX-License-Identifier: Apache-2.0
#include "amp_core/multi_tensor/tensor_groups.h"

#include <algorithm>

namespace amp {

std::vector<TensorGroup> group_by_device_and_type(at::TensorList tensors) {
  std::vector<TensorGroup> groups;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const auto fits = [&](const TensorGroup& group) {
      return group.device() == tensors[i].device() && group.type() == tensors[i].scalar_type();
    };
    auto group = std::find_if(groups.begin(), groups.end(), fits);
    if (group == groups.end()) group = groups.emplace(groups.end());
    group->indices.push_back(i);
    group->tensors.push_back(tensors[i]);
  }
  return groups;
}

std::vector<at::Tensor> picked(at::TensorList tensors, const std::vector<std::size_t>& indices) {
  std::vector<at::Tensor> result;
  result.reserve(indices.size());
  for (const std::size_t index : indices) result.push_back(tensors[index]);
  return result;
}

}  // namespace amp
