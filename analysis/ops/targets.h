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

/// The GPU for Tensor Core rules in each run, with its cublasLt answers about the run's matmuls. The GPU is `forced` if
/// given, else the run's own, else that of `ampprof run --target-gpu`.
class Targets {
 public:
  explicit Targets(const std::vector<queries::RunRow>& runs, const std::string& forced = "");

  /// Learns which sizes are vocabulary sizes, so that verdicts can name them.
  void learn_from(const std::vector<queries::OpRow>& ops);

  /// Adds the answers of cublasLt. Verdicts then use them for matmuls without recorded kernels.
  void learn_from(Probes probes) { probes_ = std::move(probes); }

  /// Empty for ops that Tensor Core rules do not judge, and if no GPU is known.
  std::optional<rules::TensorCoreVerdict> verdict(const queries::OpRow& op) const;

  /// Null if cublasLt was not asked.
  const ProbeAlgorithm* algorithm(const queries::OpRow& op) const { return probes_.algorithm(op); }
  /// Empty if nothing was timed.
  std::optional<ProbeFigures> figures(const queries::OpRow& op) const;
  /// Returns whether LibTorch may compute the op's FP32 matmul in TF32.
  bool allows_tf32(const queries::OpRow& op) const;

 private:
  /// A GPU, and whether LibTorch may compute FP32 in TF32 there. cuBLAS and cuDNN have a switch each.
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

/// Returns whether today's rules or those of 2018 find a fault in the sizes or the layout of an op. Says nothing about
/// its type.
bool misses_tensor_cores(const rules::TensorCoreVerdict& verdict);

/// Returns whether a matmul or convolution cannot run on Tensor Cores, whatever its sizes. An embedding does not count.
bool cannot_use_tensor_cores(const rules::TensorCoreVerdict& verdict);

/// Returns all dimensions of a verdict: "C_in = 3, C_out = 64".
std::string dimensions_of(const rules::TensorCoreVerdict& verdict);

}  // namespace ampprof::analysis
