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

/// Records of what was learnt of a run's matmuls after it had ended: how long each takes alone, and what cublasLt would
/// run.
namespace ampprof {

/// Arithmetic that a matmul is computed in: a type of its elements, and for FP32 whether Tensor Cores may round it to
/// TF32.
struct Arithmetic {
  DType dtype = DType::Unknown;
  bool tf32 = false;

  auto operator<=>(const Arithmetic&) const = default;
};

/// "fp16", "bf16", "tf32", "fp32", "fp64"; short_name() of any other type. In JSON: never renamed.
std::string_view name_of(const Arithmetic& arithmetic);

/// A matmul that a run computed. Calls of the same op, shapes, layout and type are one, whatever called them.
struct ProbedMatmul {
  std::string op = {};           ///< with its overload
  std::string signature = {};    ///< as to_text(Signature) writes it
  DType dtype = DType::Unknown;  ///< that it was computed in, after AMP's casts

  auto operator<=>(const ProbedMatmul&) const = default;
};

/// How long a call takes that is repeated alone.
struct Timing {
  double median_us = 0.0;
  double spread_us = 0.0;  ///< between the quartiles of the repeats
  std::int64_t repeats = 0;
  std::int64_t calls = 0;                          ///< of each repeat, which is their mean
  std::optional<std::int64_t> sm_mhz_before = {};  ///< clock of the multiprocessors; empty where nobody tells
  std::optional<std::int64_t> sm_mhz_after = {};

  bool operator==(const Timing&) const = default;
};

/// A matmul as it was timed: as it is, or with other sizes or in another type.
struct ProbeTime {
  ProbedMatmul matmul = {};
  Arithmetic arithmetic = {};
  bool is_padded = false;
  std::string sizes = {};                    ///< that were timed: "M = 64, N = 104, K = 128"
  std::optional<bool> cudnn_benchmark = {};  ///< of a convolution: whether cuDNN tried its algorithms first
  Timing timing = {};
  std::string device = {};  ///< "cpu" or the GPU's name

  bool operator==(const ProbeTime&) const = default;
};

/// Algorithm that cublasLt's heuristics choose for a GEMM.
struct GemmAlgorithm {
  std::int64_t numerics = 0;  ///< CUBLASLT_NUMERICAL_IMPL_FLAGS: precision/probe/numerics.h reads them
  std::int64_t id = 0;
  std::string tile = {};    ///< "128x256"; "" where the library does not say
  std::int64_t stages = 0;  ///< cublasLt's number of a staging, not a count
  std::int64_t split_k = 1;
  double waves = 0.0;  ///< of tiles: 1 fills the GPU once
  std::int64_t workspace_bytes = 0;
  std::array<std::int64_t, 4> alignment_bytes{};  ///< the least that it needs of A, B, C and D

  bool operator==(const GemmAlgorithm&) const = default;
};

/// cublasLt's answer about a GEMM of a run.
struct ProbeAlgorithm {
  ProbedMatmul matmul = {};
  std::optional<GemmAlgorithm> algorithm = {};  ///< empty where it has none
  std::string failure = {};                     ///< then why
  std::int64_t library_version = 0;             ///< 130100 is cublasLt 13.1
  std::string device = {};

  bool operator==(const ProbeAlgorithm&) const = default;
};

/// All that was learnt of one run.
struct ProbeRecords {
  std::vector<ProbeTime> times = {};
  std::vector<ProbeAlgorithm> algorithms = {};
};

}  // namespace ampprof
