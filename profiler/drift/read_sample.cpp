// SPDX-License-Identifier: Apache-2.0
#include "profiler/drift/read_sample.h"

#include <ATen/Dispatch.h>
#include <ATen/ExpandUtils.h>

#include <algorithm>
#include <cstdint>

#include "precision/drift/sample.h"
#include "precision/tensors/plain_memory.h"

namespace ampprof::profiler {
namespace {

bool is_readable(const at::Tensor& tensor) {
  return tensor.is_cpu() && tensors::has_plain_memory(tensor) && !tensor.is_conj() && !tensor.is_neg() &&
         (tensor.is_floating_point() || c10::isIntegralType(tensor.scalar_type(), /*includeBool=*/true)) &&
         tensor.numel() > 0;
}

template <class Number>
std::vector<double> read(const at::Tensor& tensor, const std::vector<std::int64_t>& offsets) {
  std::vector<double> values(offsets.size());
  const auto* const data = static_cast<const Number*>(tensor.const_data_ptr());
  std::ranges::transform(offsets, values.begin(), [data](std::int64_t at) { return static_cast<double>(data[at]); });
  return values;
}

}  // namespace

std::optional<std::vector<double>> read_sample(const at::Tensor& tensor, at::IntArrayRef sizes) {
  if (!is_readable(tensor) || !at::is_expandable_to(tensor.sizes(), sizes)) return std::nullopt;
  const at::Tensor expanded = tensor.numel() == 1 ? tensor.reshape({1}) : tensor.expand(sizes);
  const auto offsets =
      drift::memory_offsets(drift::sample_indices(expanded.numel()), expanded.sizes(), expanded.strides());
  return AT_DISPATCH_ALL_TYPES_AND3(at::kHalf, at::kBFloat16, at::kBool, tensor.scalar_type(), "read_sample",
                                    [&] { return read<scalar_t>(expanded, offsets); });
}

}  // namespace ampprof::profiler
