// SPDX-License-Identifier: Apache-2.0
#include "amp_core/parallel/batch_norm_steps.h"

#include <ATen/Functions.h>
#include <ATen/OpMathType.h>

#include <algorithm>
#include <string>
#include <vector>

#include "amp_core/levels/error.h"

namespace amp::parallel {
namespace {

/// Columns of the rows from local_statistics(), with shapes (parts, C), (parts, C) and (parts).
struct Columns {
  at::Tensor means;
  at::Tensor spreads;
  at::Tensor counts;
};

Columns columns_of(const at::Tensor& rows) {
  const std::int64_t channels = rows.size(1) / 2;
  return {rows.narrow(1, 0, channels), rows.narrow(1, channels, channels), rows.select(1, 2 * channels)};
}

/// Returns the rows of parts with values: the merging kernel divides by the counts.
at::Tensor rows_with_values(const at::Tensor& rows) {
  const at::Tensor counts = rows.select(1, rows.size(1) - 1).to(at::kCPU);
  refuse_too_few(counts.sum().item<std::int64_t>());
  const at::Tensor places = counts.nonzero().flatten();
  return places.size(0) == rows.size(0) ? rows : rows.index_select(0, places.to(rows.device()));
}

std::vector<std::int64_t> all_but_channels(const at::Tensor& input) {
  std::vector<std::int64_t> dims{0};
  for (std::int64_t dim = 2; dim < input.dim(); ++dim) dims.push_back(dim);
  return dims;
}

/// Returns values per channel in the type of `x`, in a shape that broadcasts over it.
at::Tensor broadcast_over_channels(const at::Tensor& values, const at::Tensor& x) {
  std::vector<std::int64_t> shape(static_cast<std::size_t>(x.dim()), 1);
  shape[1] = values.numel();
  return values.to(x.scalar_type()).reshape(shape);
}

at::Tensor to_computed_type(const at::Tensor& tensor) { return tensor.to(at::toOpMathType(tensor.scalar_type())); }

at::Tensor scale_of(const BatchStatistics& statistics, const at::Tensor& weight) {
  return weight.defined() ? statistics.inverse_deviation * weight : statistics.inverse_deviation;
}

namespace formulas {

void update_running_average(const at::Tensor& running, const at::Tensor& value, double momentum) {
  if (running.defined()) running.copy_(running.to(value.scalar_type()) * (1 - momentum) + value * momentum);
}

at::Tensor local_statistics(const at::Tensor& input) {
  const auto dims = all_but_channels(input);
  const at::Tensor x = input.to(at::kDouble);
  const at::Tensor mean = x.mean(dims);
  const at::Tensor squares = (x - broadcast_over_channels(mean, x)).square().sum(dims);
  return at::cat({mean, squares, at::full({1}, values_per_channel(input), mean.options())});
}

// Uses the formula of Chan, Golub and LeVeque 1983, for several parts at once.
BatchStatistics merge_statistics(const at::Tensor& rows, const RunningStatistics& running, double eps) {
  const auto [means, squares, counts] = columns_of(rows);
  const at::Tensor total = counts.sum();
  const at::Tensor weights = counts.unsqueeze(1);
  const at::Tensor mean = (means * weights).sum(0) / total;
  const at::Tensor all_squares = (squares + (means - mean).square() * weights).sum(0);
  update_running_average(running.mean, mean, running.momentum);
  update_running_average(running.variance, all_squares / (total - 1), running.momentum);
  return {mean, (all_squares / total + eps).rsqrt(), counts.to(at::kInt)};
}

at::Tensor normalize(const at::Tensor& input, const BatchStatistics& statistics, const AffineParameters& affine) {
  const at::Tensor x = to_computed_type(input);
  at::Tensor output = (x - broadcast_over_channels(statistics.mean, x)) *
                      broadcast_over_channels(scale_of(statistics, affine.weight), x);
  if (affine.bias.defined()) output += broadcast_over_channels(affine.bias, x);
  return output.to(input.scalar_type());
}

GradientSums reduce_gradient(const NormBackward& norm) {
  const auto dims = all_but_channels(norm.input);
  const at::Tensor& mean = norm.statistics.mean;
  const at::Tensor x = norm.input.to(mean.scalar_type());
  const at::Tensor dy = norm.gradient.to(mean.scalar_type());
  const at::Tensor sum = dy.sum(dims);
  const at::Tensor product = (dy * (x - broadcast_over_channels(mean, x))).sum(dims);
  GradientSums result{at::cat({sum, product}), {}, {}};
  if (norm.weight.defined()) {
    result.weight = (product * norm.statistics.inverse_deviation).to(norm.weight.scalar_type());
    result.bias = sum.to(norm.weight.scalar_type());
  }
  return result;
}

at::Tensor input_gradient(const NormBackward& norm, const at::Tensor& sums) {
  const at::Tensor x = to_computed_type(norm.input);
  const at::Tensor dy = norm.gradient.to(x.scalar_type());
  const std::vector<at::Tensor> averages = (sums / norm.statistics.counts.sum()).chunk(2);
  const at::Tensor slope = averages[1] * norm.statistics.inverse_deviation.square();
  const at::Tensor centred = x - broadcast_over_channels(norm.statistics.mean, x);
  const at::Tensor gradient =
      dy - broadcast_over_channels(averages[0], x) - centred * broadcast_over_channels(slope, x);
  return (gradient * broadcast_over_channels(scale_of(norm.statistics, norm.weight), x)).to(norm.input.scalar_type());
}

}  // namespace formulas

namespace kernels {

at::Tensor to_type(const at::Tensor& tensor, at::ScalarType type) {
  return tensor.defined() ? tensor.to(type) : tensor;
}

void write_back(const at::Tensor& running, const at::Tensor& updated) {
  if (running.defined() && !running.is_same(updated)) running.copy_(updated);
}

at::Tensor local_statistics(const at::Tensor& input, double eps) {
  const auto [mean, inverse_deviation] = at::batch_norm_stats(input, eps);
  return at::cat({mean, inverse_deviation, at::full({1}, values_per_channel(input), mean.options())});
}

// Converts the running statistics to the type of the rows: the kernel takes counts in the type of the running
// statistics, and a count above 65504 overflows in FP16. The kernel reads only the type of its first argument.
BatchStatistics merge_statistics(const at::Tensor& rows, const RunningStatistics& running, double eps) {
  const auto [means, inverse_deviations, counts] = columns_of(rows);
  const at::Tensor running_mean = to_type(running.mean, rows.scalar_type());
  const at::Tensor running_variance = to_type(running.variance, rows.scalar_type());
  const auto [mean, inverse_deviation] = at::batch_norm_gather_stats_with_counts(
      rows, means, inverse_deviations, running_mean, running_variance, running.momentum, eps, counts.contiguous());
  write_back(running.mean, running_mean);
  write_back(running.variance, running_variance);
  return {mean, inverse_deviation, counts.to(at::kInt).contiguous()};
}

at::Tensor normalize(const at::Tensor& input, const BatchStatistics& statistics, const AffineParameters& affine) {
  constexpr double kEpsIsInTheDeviation = 0;
  return at::batch_norm_elemt(input, affine.weight, affine.bias, statistics.mean, statistics.inverse_deviation,
                              kEpsIsInTheDeviation);
}

GradientSums reduce_gradient(const NormBackward& norm) {
  const bool is_affine = norm.weight.defined();
  const auto [sum, product, weight, bias] =
      at::batch_norm_backward_reduce(norm.gradient, norm.input, norm.statistics.mean, norm.statistics.inverse_deviation,
                                     norm.weight, /*input_g=*/true, /*weight_g=*/is_affine, /*bias_g=*/is_affine);
  return {at::cat({sum, product}), is_affine ? weight : at::Tensor(), is_affine ? bias : at::Tensor()};
}

at::Tensor input_gradient(const NormBackward& norm, const at::Tensor& sums) {
  const auto& [mean, inverse_deviation, counts] = norm.statistics;
  const std::vector<at::Tensor> halves = sums.chunk(2);
  return at::batch_norm_backward_elemt(norm.gradient, norm.input, mean, inverse_deviation,
                                       to_type(norm.weight, mean.scalar_type()), halves[0], halves[1], counts);
}

}  // namespace kernels

/// Tells whether CUDA kernels process a part; composed ops process empty parts, on CUDA too.
bool is_for_kernels(const at::Tensor& input) { return input.is_cuda() && input.numel() != 0; }

at::Tensor row_of_empty_part(const at::Tensor& input) {
  const auto type = input.is_cuda() ? at::toOpMathType(input.scalar_type()) : at::kDouble;
  return at::zeros({2 * input.size(1) + 1}, input.options().dtype(type));
}

}  // namespace

std::int64_t values_per_channel(const at::Tensor& input) {
  return input.numel() / std::max<std::int64_t>(1, input.size(1));
}

void refuse_too_few(std::int64_t values_per_channel) {
  if (values_per_channel > 1) return;
  throw Error("Synchronized batch norm got " + std::to_string(values_per_channel) +
              " values per channel from all ranks together. In training it needs two or more.");
}

at::Tensor local_statistics(const at::Tensor& input, double eps) {
  if (input.numel() == 0) return row_of_empty_part(input);
  return is_for_kernels(input) ? kernels::local_statistics(input, eps) : formulas::local_statistics(input);
}

BatchStatistics merge_statistics(const at::Tensor& rows, const RunningStatistics& running, double eps) {
  const at::Tensor filled = rows_with_values(rows);
  return rows.is_cuda() ? kernels::merge_statistics(filled, running, eps)
                        : formulas::merge_statistics(filled, running, eps);
}

at::Tensor normalize(const at::Tensor& input, const BatchStatistics& statistics, const AffineParameters& affine) {
  return is_for_kernels(input) ? kernels::normalize(input, statistics, affine)
                               : formulas::normalize(input, statistics, affine);
}

GradientSums reduce_gradient(const NormBackward& norm) {
  return is_for_kernels(norm.input) ? kernels::reduce_gradient(norm) : formulas::reduce_gradient(norm);
}

at::Tensor input_gradient(const NormBackward& norm, const at::Tensor& sums) {
  return is_for_kernels(norm.input) ? kernels::input_gradient(norm, sums) : formulas::input_gradient(norm, sums);
}

}  // namespace amp::parallel
