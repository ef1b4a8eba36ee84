// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

/// Batch norm in steps over a batch that is distributed over ranks, with collectives between the steps. On CUDA the
/// steps are ATen's kernels. On other devices they are composed of ops, which define the result: statistics and sums in
/// double, the rest in FP32 (double for double). Shapes are (N, C, ...); parts may be empty.
namespace amp::parallel {

/// Statistics of a whole batch, one value per channel.
struct BatchStatistics {
  at::Tensor mean;               ///< (C), FP32 or double
  at::Tensor inverse_deviation;  ///< (C), 1 / sqrt(biased variance + eps)
  at::Tensor counts;             ///< int32, one element per nonempty part: its number of values per channel
};

/// Running statistics, written in place; undefined if the layer has none.
struct RunningStatistics {
  at::Tensor mean;      ///< (C)
  at::Tensor variance;  ///< (C), unbiased
  double momentum = 0;  ///< weight of the new batch in the average
};

/// Weight and bias, both (C), in the input's type or FP32; both undefined without affine parameters.
struct AffineParameters {
  at::Tensor weight;
  at::Tensor bias;
};

/// Inputs of backward: the output's gradient and values from forward.
struct NormBackward {
  at::Tensor gradient;  ///< gradient of the output, in the input's layout
  at::Tensor input;
  at::Tensor weight;
  BatchStatistics statistics;
};

/// Gradient sums over the values of one part.
struct GradientSums {
  at::Tensor sums;    ///< (2C): sums of dy, then sums of dy * (x - mean)
  at::Tensor weight;  ///< gradient of the weight; undefined without a weight
  at::Tensor bias;    ///< gradient of the bias; undefined without a bias
};

std::int64_t values_per_channel(const at::Tensor& input);

/// Throws Error if a whole batch has fewer than two values per channel, and so no variance.
void refuse_too_few(std::int64_t values_per_channel);

/// Returns one part's statistics as a row of 2C + 1 numbers: mean, spread, values per channel. The spread is the sum of
/// squared deviations; on CUDA it is 1 / sqrt(biased variance + eps), as the kernels need. The row of an empty part is
/// all zeros.
at::Tensor local_statistics(const at::Tensor& input, double eps);

/// Returns the whole batch's statistics from the rows of all parts, (parts, 2C + 1), and adds the batch to the running
/// statistics. The same rows give the same bits on every rank. Waits for the device to read the counts.
BatchStatistics merge_statistics(const at::Tensor& rows, const RunningStatistics& running, double eps);

/// Returns (x - mean) * inverse deviation * weight + bias, in the input's type and layout.
at::Tensor normalize(const at::Tensor& input, const BatchStatistics& statistics, const AffineParameters& affine);

GradientSums reduce_gradient(const NormBackward& norm);

/// Returns the input's gradient. `sums`: GradientSums::sums added up over all parts, (2C).
at::Tensor input_gradient(const NormBackward& norm, const at::Tensor& sums);

}  // namespace amp::parallel
