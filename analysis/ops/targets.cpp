// SPDX-License-Identifier: Apache-2.0
#include "analysis/ops/targets.h"

#include <utility>

#include "analysis/ops/executed.h"
#include "analysis/runs/run_settings.h"
#include "precision/rules/matmuls/gemm.h"
#include "reports/queries/ops.h"
#include "reports/queries/runs.h"
#include "reports/records/tracks.h"

namespace ampprof::analysis {
namespace {

std::optional<gpu::DeviceCaps> device_of(const queries::RunRow& run, const std::string& forced) {
  if (!forced.empty()) return gpu::device_caps(forced);
  if (run.device != "cpu") {
    if (auto own = gpu::device_caps(run.device)) return own;
  }
  return gpu::device_caps(run.target_gpu);
}

}  // namespace

Targets::Targets(const std::vector<queries::RunRow>& runs, const std::string& forced) {
  for (const queries::RunRow& run : runs) {
    const auto device = device_of(run, forced);
    if (!device) continue;
    const RunSettings settings(run.settings_json);
    devices_.emplace(run.run, Target{*device, settings.is_on("tf32_matmul"), settings.is_on("tf32_cudnn"),
                                     settings.is_on("cudnn_benchmark")});
  }
}

void Targets::learn_from(const std::vector<queries::OpRow>& ops) {
  for (const queries::OpRow& op : ops) {
    const auto matmul = rules::matmul_of(op.op, signature_from(op.signature));
    if (matmul && matmul->kind == rules::MatmulKind::Embedding) vocabularies_[op.run].push_back(matmul->dims[0].second);
  }
}

bool Targets::allows_tf32(const queries::OpRow& op) const {
  const auto target = devices_.find(op.run);
  if (target == devices_.end()) return false;
  return rules::gemm_operands(rules::plain_name(op.op)) ? target->second.tf32_matmul : target->second.tf32_cudnn;
}

std::optional<rules::TensorCoreVerdict> Targets::verdict(const queries::OpRow& op) const {
  const auto target = devices_.find(op.run);
  if (target == devices_.end() || op.signature.empty()) return std::nullopt;
  const auto known = vocabularies_.find(op.run);
  const auto vocabularies = known == vocabularies_.end() ? std::span<const std::int64_t>() : known->second;
  gpu::DeviceCaps device = target->second.device;
  device.tf32_allowed = allows_tf32(op);
  auto verdict =
      rules::tensor_core_verdict(op.op, op.phase, signature_from(op.signature), computed_in(op), device, vocabularies);
  if (!verdict) return verdict;
  Execution execution = op.gpu_us ? execution_of(op) : execution_by(algorithm(op));
  verdict->executed = execution.executed;
  verdict->evidence = std::move(execution.evidence);
  return verdict;
}

std::optional<MatmulTimings> Targets::figures(const queries::OpRow& op) const {
  const auto target = devices_.find(op.run);
  if (target == devices_.end()) return std::nullopt;
  const DType dtype = computed_in(op);
  const Arithmetic own{dtype, dtype == DType::Float && allows_tf32(op)};
  return figures_of(probes_.times(op), own, target->second.cudnn_benchmark);
}

bool misses_tensor_cores(const rules::TensorCoreVerdict& verdict) {
  return verdict.rule_today == rules::RuleToday::Inefficient || verdict.rule_2018 == rules::Rule2018::NotAligned;
}

bool cannot_use_tensor_cores(const rules::TensorCoreVerdict& verdict) {
  return verdict.rule_today == rules::RuleToday::NotEligible && !rules::is_embedding(verdict);
}

std::string dimensions_of(const rules::TensorCoreVerdict& verdict) {
  std::string text;
  for (const auto& [name, size] : verdict.dims) {
    text += (text.empty() ? "" : ", ") + name + " = " + std::to_string(size);
  }
  return text;
}

}  // namespace ampprof::analysis
