// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "precision/rules/rule.h"
#include "reports/records/probe.h"

/// Descriptions of matmuls from which they can be computed again: sizes and memory layouts of the operands.
namespace ampprof::probe {

/// Memory layout of an operand.
struct MatrixLayout {
  bool is_transposed = false;  ///< stored by columns
  std::int64_t leading = 0;    ///< elements from the start of one stored row to the next; 0 if rows are contiguous
  std::int64_t offset = 0;     ///< elements between an aligned address and the first element

  bool operator==(const MatrixLayout&) const = default;
};

/// `batch` matmuls [M,K] x [K,N].
struct GemmCase {
  std::int64_t batch = 1;
  std::int64_t m = 0;
  std::int64_t n = 0;
  std::int64_t k = 0;
  MatrixLayout a = {};
  MatrixLayout b = {};
  bool has_bias = false;  ///< whether LibTorch passes a bias vector of N elements to the same kernel

  bool operator==(const GemmCase&) const = default;
};

/// A convolution. All lists except `input` and `weight` have one number per spatial dimension.
struct ConvolutionCase {
  std::vector<std::int64_t> input = {};   ///< [batch, C_in, ...]
  std::vector<std::int64_t> weight = {};  ///< [C_out, C_in / groups, ...]; transposed [C_in, C_out / groups, ...]
  std::vector<std::int64_t> stride = {};
  std::vector<std::int64_t> padding = {};
  std::vector<std::int64_t> dilation = {};
  std::vector<std::int64_t> output_padding = {};
  std::int64_t groups = 1;
  bool is_transposed = false;
  bool is_backward = false;  ///< computes the gradients of both input and weight
  bool is_channels_last = false;

  bool operator==(const ConvolutionCase&) const = default;
};

/// Upper limit of sizes and leading dimensions. No library multiplies larger matrices at once, so larger numbers come
/// from a damaged report.
inline constexpr std::int64_t kLargestSize = (std::int64_t{1} << 31) - 1;

/// A matmul to compute again.
using Workload = std::variant<GemmCase, ConvolutionCase>;

/// A matmul to time, with its type.
struct Case {
  Workload workload = {};
  Arithmetic arithmetic = {};
  bool cudnn_benchmark = false;

  bool operator==(const Case&) const = default;
};

/// Returns the matmul that a call computed. Empty for ops that are neither GEMM nor convolution, for types other than
/// FP16, BF16, FP32 and FP64, and for signatures with missing or impossible sizes.
std::optional<Workload> workload_of(const ProbedMatmul& matmul);

/// Returns the workload with the sizes that `faults` recommend, contiguous rows and aligned addresses.
Workload padded(const Workload& workload, const std::vector<rules::Fault>& faults);

bool is_convolution(const Workload& workload);

/// Returns "M = 64, N = 104, K = 128" or "C_in = 8, C_out = 64, batch = 32".
std::string sizes_of(const Workload& workload);

}  // namespace ampprof::probe
