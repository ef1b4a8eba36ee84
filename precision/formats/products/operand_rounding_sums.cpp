// SPDX-License-Identifier: Apache-2.0
#include "precision/formats/products/operand_rounding_sums.h"

#include <ATen/ATen.h>

#include <cstring>

#include "precision/formats/quantize/kernels_cuda.h"

namespace ampprof::products {
namespace {

using quantize::cuda::DeviceStatistics;

/// Number of statistics of a cast. A tensor stores them in the order of OperandRounding. All except amax are sums.
constexpr std::int64_t kNumbers = 7;
constexpr std::int64_t kAmax = 4;

at::Tensor numbers_of_cast(const at::Tensor& before, const at::Tensor& after) {
  const at::Tensor x = before.to(at::kDouble);
  const at::Tensor y = after.to(at::kDouble);
  const at::Tensor finite = x.isfinite().logical_and(y.isfinite());
  const at::Tensor magnitude = at::where(x.isnan(), 0.0, x.abs());
  const auto sum_of_squares = [&](const at::Tensor& values) { return at::where(finite, values.square(), 0.0).sum(); };
  const at::Tensor amax = x.numel() == 0 ? x.new_zeros({}) : magnitude.max();
  const auto count = [](const at::Tensor& which) { return which.sum(at::kDouble); };
  return at::stack({x.new_full({}, static_cast<double>(x.numel())), count(finite.logical_not()),
                    count(x.ne(0).logical_and(y.eq(0))), x.new_zeros({}), amax, sum_of_squares(x),
                    sum_of_squares(y - x)});
}

OperandRounding statistics_from(const at::Tensor& numbers) {
  const at::Tensor here = numbers.cpu();
  const auto* number = here.const_data_ptr<double>();
  const auto count = [&](int i) { return static_cast<std::int64_t>(number[i]); };
  return {.count = count(0),
          .nonfinite = count(1),
          .flushed = count(2),
          .saturated = count(3),
          .amax = number[kAmax],
          .sum_sq = number[5],
          .sum_sq_error = number[6]};
}

}  // namespace

at::Tensor& OperandRoundingSums::on(std::vector<at::Tensor>& tensors, const c10::Device& device, std::int64_t size,
                                    at::ScalarType type) {
  for (at::Tensor& tensor : tensors) {
    if (tensor.device() == device) return tensor;
  }
  return tensors.emplace_back(at::zeros({size}, at::TensorOptions(device).dtype(type)));
}

void OperandRoundingSums::add_cast(const at::Tensor& before, const at::Tensor& after) {
  const at::Tensor numbers = numbers_of_cast(before, after);
  at::Tensor& sums = on(of_casts_, before.device(), kNumbers, at::kDouble);
  const at::Tensor largest = at::maximum(sums[kAmax], numbers[kAmax]);
  sums.add_(numbers);
  sums[kAmax].copy_(largest);
}

void* OperandRoundingSums::of_kernels(const c10::Device& device) {
  return on(of_kernels_, device, sizeof(DeviceStatistics), at::kByte).mutable_data_ptr();
}

OperandRounding OperandRoundingSums::total() const {
  OperandRounding all = on_host_;
  for (const at::Tensor& numbers : of_casts_) all.merge(statistics_from(numbers));
  for (const at::Tensor& bytes : of_kernels_) {
    DeviceStatistics found{};
    std::memcpy(&found, bytes.cpu().const_data_ptr(), sizeof(found));
    all.merge(quantize::cuda::statistics_from(found));
  }
  return all;
}

}  // namespace ampprof::products
