// SPDX-License-Identifier: Apache-2.0
#include "amp_core/multi_tensor/flat_copy.h"

#include <ATen/Functions.h>
#include <ATen/core/LegacyTypeDispatch.h>
#include <torch/utils.h>

namespace amp {
namespace {

constexpr std::int64_t kBytesOfWideLoad = 16;

/// Rounds a number of elements up to whole blocks of 16 bytes on CUDA, whose multi-tensor kernels load 16 bytes at once
/// only if every tensor is aligned to 16 bytes. CPU kernels do not need this, and zeroing the gaps of a CPU buffer
/// costs as much as filling it.
std::int64_t aligned(std::int64_t elements, at::Device device, at::ScalarType type) {
  if (!device.is_cuda()) return elements;
  const auto unit = kBytesOfWideLoad / static_cast<std::int64_t>(c10::elementSize(type));
  return (elements + unit - 1) / unit * unit;
}

at::Tensor view_like(const at::Tensor& original, const at::Tensor& buffer, std::int64_t offset) {
  if (original.is_non_overlapping_and_dense()) {
    return buffer.as_strided(original.sizes(), original.strides(), offset);
  }
  return buffer.narrow(0, offset, original.numel()).view(original.sizes());
}

}  // namespace

FlatCopy flat_like(at::TensorList originals, at::ScalarType type) {
  // Runs below autograd, so that autograd does not treat the copies as views: zero_grad() cannot detach views in place.
  const at::AutoDispatchBelowADInplaceOrView below_autograd;
  const at::Device device = originals.front().device();
  std::int64_t with_gaps = 0;
  std::int64_t without = 0;
  for (const at::Tensor& original : originals) {
    with_gaps += aligned(original.numel(), device, type);
    without += original.numel();
  }
  const auto options = at::TensorOptions(device).dtype(type);
  FlatCopy copy{with_gaps == without ? at::empty({with_gaps}, options) : at::zeros({with_gaps}, options), {}};
  copy.tensors.reserve(originals.size());
  std::int64_t offset = 0;
  for (const at::Tensor& original : originals) {
    copy.tensors.push_back(view_like(original, copy.buffer, offset));
    offset += aligned(original.numel(), device, type);
  }
  return copy;
}

FlatCopy flat_copy(at::TensorList originals, at::ScalarType type) {
  const torch::NoGradGuard no_grad;
  FlatCopy copy = flat_like(originals, type);
  at::_foreach_copy_(copy.tensors, originals);
  return copy;
}

}  // namespace amp
