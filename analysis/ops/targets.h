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

/// The GPU that Tensor Core rules speak of in each run: `forced` where it is given, else the run's own GPU, else the
/// one that `ampprof run --target-gpu` named. And what that GPU was asked about the run's matmuls.
class Targets {
 public:
  explicit Targets(const std::vector<queries::RunRow>& runs, const std::string& forced = "");

  /// Takes note of the sizes that are a vocabulary, so that verdicts can name it.
  void learn_from(const std::vector<queries::OpRow>& ops);

  /// Where no kernel tells what ran, verdicts then say what cublasLt would run.
  void learn_from(Probes probes) { probes_ = std::move(probes); }

  /// Empty for ops that Tensor Core rules do not judge, and where no GPU is known.
  std::optional<rules::TensorCoreVerdict> verdict(const queries::OpRow& op) const;

  /// Null where cublasLt was not asked.
  const ProbeAlgorithm* algorithm(const queries::OpRow& op) const { return probes_.algorithm(op); }
  /// Empty where nothing was timed.
  std::optional<ProbeFigures> figures(const queries::OpRow& op) const;
  /// Whether LibTorch may multiply the op's FP32 as TF32.
  bool allows_tf32(const queries::OpRow& op) const;

 private:
  /// A GPU, and whether LibTorch may multiply FP32 as TF32 there: cuBLAS and cuDNN each have a switch.
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

/// Whether today's rule or the type keeps an op from its Tensor Cores, so that something can be done about it.
bool misses_tensor_cores(const rules::TensorCoreVerdict& verdict);

/// "C_in = 3, C_out = 64": all dimensions of a verdict.
std::string dimensions_of(const rules::TensorCoreVerdict& verdict);

}  // namespace ampprof::analysis
