// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/ops/probe_figures.h"
#include "precision/rules/verdict.h"
#include "reports/records/probe.h"

namespace ampprof::queries {
struct OpRow;
struct RunRow;
}  // namespace ampprof::queries

namespace ampprof::analysis {

/// Tensor Core verdicts of ops, each for the target GPU of its run. The GPU is `forced` if given, else the run's own,
/// else that of `ampprof run --target-gpu`.
class Targets {
 public:
  explicit Targets(const std::vector<queries::RunRow>& runs, const std::string& forced = "");

  /// Finds out from ops which sizes are vocabulary sizes, so that verdicts can name them.
  void learn_from(const std::vector<queries::OpRow>& ops);

  /// Adds the answers of cublasLt. Verdicts then use them for matmuls without recorded kernels.
  void learn_from(Probes probes) { probes_ = std::move(probes); }

  /// Returns the verdict of Tensor Core rules on an op; empty if the rules do not judge it, or if no GPU is known.
  std::optional<rules::TensorCoreVerdict> verdict(const queries::OpRow& op) const;

  /// Returns cublasLt's answer for the op's matmul; null if cublasLt was not asked.
  const ProbeAlgorithm* algorithm(const queries::OpRow& op) const { return probes_.algorithm(op); }
  /// Returns the isolated times of the op's matmul; empty if it was not timed.
  std::optional<MatmulTimings> figures(const queries::OpRow& op) const;
  /// Returns whether LibTorch may compute the op's FP32 matmul in TF32.
  bool allows_tf32(const queries::OpRow& op) const;

 private:
  /// A GPU, and the run's settings of LibTorch: whether FP32 may be computed in TF32 (cuBLAS and cuDNN have a switch
  /// each), and cudnn.benchmark.
  struct Target {
    gpu::DeviceCaps device;
    bool tf32_matmul = false;
    bool tf32_cudnn = false;
    bool cudnn_benchmark = false;
  };

  std::map<std::int64_t, Target> devices_;                               // by run
  std::map<std::int64_t, std::vector<std::int64_t>> vocabularies_ = {};  // by run
  Probes probes_;
};

/// Returns whether NVIDIA's current rules or its rules of 2018 reject the sizes or the layout of an op. Ignores the
/// op's type.
bool misses_tensor_cores(const rules::TensorCoreVerdict& verdict);

/// Returns whether a matmul or convolution cannot run on Tensor Cores, whatever its sizes. False for an embedding.
bool cannot_use_tensor_cores(const rules::TensorCoreVerdict& verdict);

/// Returns all dimensions of a verdict: "C_in = 3, C_out = 64".
std::string dimensions_of(const rules::TensorCoreVerdict& verdict);

}  // namespace ampprof::analysis
