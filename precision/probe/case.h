// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "precision/rules/rule.h"
#include "reports/records/probe.h"

/// A matmul as it can be computed again: all of its sizes, and how its operands lie in memory.
namespace ampprof::probe {

/// How an operand lies in memory.
struct MatrixLayout {
  bool is_transposed = false;  ///< stored by columns
  std::int64_t leading = 0;    ///< elements from one stored row to the next; 0: its length
  std::int64_t offset = 0;     ///< elements from an aligned address to the first

  bool operator==(const MatrixLayout&) const = default;
};

/// `batch` times [M,K] x [K,N].
struct GemmCase {
  std::int64_t batch = 1;
  std::int64_t m = 0;
  std::int64_t n = 0;
  std::int64_t k = 0;
  MatrixLayout a = {};
  MatrixLayout b = {};
  bool has_bias = false;  ///< a vector of N is added, which LibTorch gives to the same kernel

  bool operator==(const GemmCase&) const = default;
};

/// All lists but the shapes have a number for each axis of the image.
struct ConvolutionCase {
  std::vector<std::int64_t> input = {};   ///< [batch, C_in, ...]
  std::vector<std::int64_t> weight = {};  ///< [C_out, C_in / groups, ...]; transposed [C_in, C_out / groups, ...]
  std::vector<std::int64_t> stride = {};
  std::vector<std::int64_t> padding = {};
  std::vector<std::int64_t> dilation = {};
  std::vector<std::int64_t> output_padding = {};
  std::int64_t groups = 1;
  bool is_transposed = false;
  bool is_backward = false;  ///< the gradients of input and weight, both
  bool is_channels_last = false;

  bool operator==(const ConvolutionCase&) const = default;
};

/// Sizes and leading dimensions above this are taken for damage: no library multiplies more at once.
inline constexpr std::int64_t kLargestSize = (std::int64_t{1} << 31) - 1;

/// A matmul to compute again.
using Workload = std::variant<GemmCase, ConvolutionCase>;

/// A matmul to time, and how.
struct Case {
  Workload workload = {};
  Arithmetic arithmetic = {};
  bool cudnn_benchmark = false;

  bool operator==(const Case&) const = default;
};

/// Reads what a call multiplied. Empty for ops that are neither GEMM nor convolution, for types other than FP16, BF16,
/// FP32 and FP64, and where the signature does not tell all sizes or tells impossible ones.
std::optional<Workload> workload_of(const ProbedMatmul& matmul);

/// Returns the workload with sizes as `faults` want them, rows that are whole blocks and aligned addresses.
Workload padded(const Workload& workload, const std::vector<rules::Fault>& faults);

bool is_convolution(const Workload& workload);

/// "M = 64, N = 104, K = 128"; "C_in = 8, C_out = 64, batch = 32".
std::string sizes_of(const Workload& workload);

}  // namespace ampprof::probe
