// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/records/dtype.h"

/// Records of measurements of a run's matmuls after the run: their isolated times, and the choices of cublasLt.
namespace ampprof {

/// Arithmetic of a matmul: its element type, and for FP32 whether Tensor Cores may round it to TF32.
struct Arithmetic {
  DType dtype = DType::Unknown;
  bool tf32 = false;

  auto operator<=>(const Arithmetic&) const = default;
};

/// Returns "fp16", "bf16", "tf32", "fp32" or "fp64"; short_name() for other types. In JSON: never rename.
std::string_view name_of(const Arithmetic& arithmetic);

/// A matmul that a run computed. All calls of the same op, shapes, layout and type count as one.
struct ProbedMatmul {
  std::string op = {};           ///< with its overload
  std::string signature = {};    ///< in the format of to_text(Signature)
  DType dtype = DType::Unknown;  ///< type after AMP's casts

  auto operator<=>(const ProbedMatmul&) const = default;
};

/// Time of a call that is repeated in isolation.
struct Timing {
  double median_us = 0.0;
  double spread_us = 0.0;  ///< interquartile range of the repeats
  std::int64_t repeats = 0;
  std::int64_t calls = 0;                          ///< calls in each repeat; the time of a repeat is their mean
  std::optional<std::int64_t> sm_mhz_before = {};  ///< clock of the multiprocessors; empty if unknown
  std::optional<std::int64_t> sm_mhz_after = {};

  bool operator==(const Timing&) const = default;
};

/// A timed matmul: as in the run, with padded sizes, or in another type.
struct ProbeTime {
  ProbedMatmul matmul = {};
  Arithmetic arithmetic = {};
  bool is_padded = false;
  std::string sizes = {};                    ///< timed sizes: "M = 64, N = 104, K = 128"
  std::optional<bool> cudnn_benchmark = {};  ///< for a convolution: whether cuDNN tried its algorithms first
  Timing timing = {};
  std::string device = {};  ///< "cpu" or the GPU's name

  bool operator==(const ProbeTime&) const = default;
};

/// Algorithm that cublasLt's heuristics choose for a matmul.
struct GemmAlgorithm {
  std::int64_t numerics = 0;  ///< CUBLASLT_NUMERICAL_IMPL_FLAGS: precision/probe/numerics.h reads them
  std::int64_t id = 0;
  std::string tile = {};    ///< "128x256"; "" if the library does not say
  std::int64_t stages = 0;  ///< enumerator of cublasLtMatmulStages_t, not a count
  std::int64_t split_k = 1;
  double waves = 0.0;  ///< waves of tiles: 1 fills the GPU once
  std::int64_t workspace_bytes = 0;
  std::array<std::int64_t, 4> alignment_bytes{};  ///< smallest alignments of A, B, C and D that the algorithm needs

  bool operator==(const GemmAlgorithm&) const = default;
};

/// cublasLt's answer about a matmul of a run.
struct ProbeAlgorithm {
  ProbedMatmul matmul = {};
  std::optional<GemmAlgorithm> algorithm = {};  ///< empty if cublasLt offers none
  std::string failure = {};                     ///< reason why there is no algorithm
  std::int64_t library_version = 0;             ///< 130100 is cublasLt 13.1
  std::string device = {};

  bool operator==(const ProbeAlgorithm&) const = default;
};

/// All measurements of one run.
struct ProbeRecords {
  std::vector<ProbeTime> times = {};
  std::vector<ProbeAlgorithm> algorithms = {};
};

}  // namespace ampprof
