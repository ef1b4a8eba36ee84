// SPDX-License-Identifier: Apache-2.0
#include "analysis/ops/executed.h"

#include "precision/kernel_names/readable_name.h"
#include "precision/probe/numerics.h"
#include "reports/queries/gpu_activity_use.h"
#include "reports/queries/ops.h"

namespace ampprof::analysis {

bool can_multiply(const kernel_names::KernelFacts& facts) {
  switch (facts.kind) {
    case kernel_names::KernelKind::Gemm:
    case kernel_names::KernelKind::Convolution:
    case kernel_names::KernelKind::Attention:
    case kernel_names::KernelKind::Other:
      return true;
    default:
      return false;
  }
}

Execution execution_of(const queries::OpRow& op) {
  if (!op.gpu_us) return {kernel_names::Executed::Unknown, "no kernel record"};
  const queries::GpuActivityUse* first = nullptr;  // activities are ordered by time, longest first
  for (const queries::GpuActivityUse& use : op.activities) {
    if (use.kind != GpuActivityKind::Kernel) continue;
    const kernel_names::KernelFacts facts = kernel_names::classify_kernel(use.name);
    if (can_multiply(facts)) {
      const std::string rule = facts.evidence.empty() ? "name" : "name(" + std::string(facts.evidence) + ")";
      return {facts.executed, rule + ": " + kernel_names::short_name_of_kernel(use.name)};
    }
    if (first == nullptr) first = &use;
  }
  if (first == nullptr) return {kernel_names::Executed::Unknown, "launched no kernel"};
  return {kernel_names::Executed::NotUsed, "name: " + kernel_names::short_name_of_kernel(first->name)};
}

Execution execution_by(const ProbeAlgorithm* answer) {
  if (answer == nullptr || !answer->algorithm) return {kernel_names::Executed::Unknown, "no kernel record"};
  return {probe::executed_by(*answer->algorithm), probe::evidence_of(*answer->algorithm)};
}

std::optional<double> tensor_core_share(const std::vector<queries::OpRow>& ops, std::int64_t run) {
  double all = 0.0;
  double used = 0.0;
  for (const queries::OpRow& op : ops) {
    if (op.run != run) continue;
    for (const queries::GpuActivityUse& use : op.activities) {
      all += use.gpu_us;
      const bool is_kernel = use.kind == GpuActivityKind::Kernel;
      if (is_kernel && kernel_names::classify_kernel(use.name).executed == kernel_names::Executed::Used)
        used += use.gpu_us;
    }
  }
  if (all <= 0.0) return std::nullopt;
  return used / all;
}

}  // namespace ampprof::analysis
