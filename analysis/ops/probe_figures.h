// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reports/records/dtype.h"
#include "reports/records/probe.h"

namespace ampprof::queries {
struct OpRow;
struct ProbeAlgorithmRow;
struct ProbeTimeRow;
}  // namespace ampprof::queries

namespace ampprof::analysis {

/// Measurements that `--probe` made of a run's matmuls after the run: isolated times, and the kernels that cublasLt
/// would choose.
class Probes {
 public:
  Probes() = default;
  Probes(const std::vector<queries::ProbeTimeRow>& times, const std::vector<queries::ProbeAlgorithmRow>& algorithms);

  /// Returns cublasLt's answer for the op's matmul; null if cublasLt was not asked.
  const ProbeAlgorithm* algorithm(const queries::OpRow& op) const;
  /// Returns the times of the op's matmul in the order of measurement.
  std::vector<ProbeTime> times(const queries::OpRow& op) const;

 private:
  using Key = std::pair<std::int64_t, ProbedMatmul>;  // run and matmul

  std::map<Key, std::vector<ProbeTime>> times_;
  std::map<Key, ProbeAlgorithm> algorithms_;
};

/// Returns the type of an op's matmul: that of its output, since AMP's casts come before the op.
DType computed_in(const queries::OpRow& op);

/// Isolated times of a matmul as the run computes it, padded, and in other types.
struct MatmulTimings {
  std::string device = {};
  Arithmetic own = {};  ///< type in the run
  std::optional<Timing> as_run = {};
  std::optional<Timing> padded = {};
  std::optional<Arithmetic> padded_in = {};  ///< type of `padded`
  std::optional<double> padding_gain = {};   ///< share of the time that padding saves; negative: it costs time
  std::optional<Timing> fp16 = {};
  std::optional<Timing> bf16 = {};
  std::optional<Timing> tf32 = {};
  std::optional<Timing> fp32 = {};
  std::vector<ProbeTime> times = {};  ///< all types, with and without cudnn.benchmark
};

/// Summarizes the times of a matmul. Uses the times with the run's setting of cudnn.benchmark. Empty if there are none.
std::optional<MatmulTimings> figures_of(std::vector<ProbeTime> times, const Arithmetic& own, bool cudnn_benchmark);

}  // namespace ampprof::analysis
