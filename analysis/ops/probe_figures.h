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

/// Holds what was learnt of the runs' matmuls after they had ended: their times alone, and what cublasLt would run.
class Probes {
 public:
  Probes() = default;
  Probes(const std::vector<queries::ProbeTimeRow>& times, const std::vector<queries::ProbeAlgorithmRow>& algorithms);

  /// Null where cublasLt was not asked.
  const ProbeAlgorithm* algorithm(const queries::OpRow& op) const;
  /// Returns the times of the op's matmul, in the order in which they were measured.
  std::vector<ProbeTime> times(const queries::OpRow& op) const;

 private:
  using Key = std::pair<std::int64_t, ProbedMatmul>;  // run and matmul

  std::map<Key, std::vector<ProbeTime>> times_;
  std::map<Key, ProbeAlgorithm> algorithms_;
};

/// The type that an op's matmul was computed in: that of its output, since AMP's casts come before the op.
DType computed_in(const queries::OpRow& op);

/// How long a matmul takes alone, as the run computes it and otherwise.
struct ProbeFigures {
  std::string device = {};
  Arithmetic own = {};  ///< what the run computed it in
  std::optional<Timing> as_run = {};
  std::optional<Timing> padded = {};
  std::optional<Arithmetic> padded_in = {};  ///< the type that `padded` is of
  std::optional<double> padding_gain = {};   ///< share of the time that it saves there; less than 0: it costs
  std::optional<Timing> fp16 = {};
  std::optional<Timing> bf16 = {};
  std::optional<Timing> tf32 = {};
  std::optional<Timing> fp32 = {};
  std::vector<ProbeTime> times = {};  ///< all, with cudnn.benchmark and without
};

/// Returns the figures of one matmul, from its times; the ones with cudnn.benchmark as the run had it. Empty without
/// any.
std::optional<ProbeFigures> figures_of(std::vector<ProbeTime> times, const Arithmetic& own, bool cudnn_benchmark);

}  // namespace ampprof::analysis
