// SPDX-License-Identifier: Apache-2.0
#include "cli/views/targets.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "cli/views/executed.h"

namespace ampprof::cli {
namespace {

bool allows_tf32(const RunRow& run) {
  const auto settings = nlohmann::json::parse(run.settings_json, nullptr, false);
  if (!settings.is_object()) return false;
  const auto tf32 = settings.find("tf32");
  return tf32 != settings.end() && tf32->is_boolean() && tf32->get<bool>();
}

std::optional<DeviceCaps> device_of(const RunRow& run, const std::string& forced) {
  if (!forced.empty()) return device_caps(forced);
  if (run.device != "cpu") {
    if (auto own = device_caps(run.device)) return own;
  }
  return device_caps(run.target_gpu);
}

}  // namespace

Targets::Targets(const std::vector<RunRow>& runs, const std::string& forced) {
  for (const RunRow& run : runs) {
    if (auto device = device_of(run, forced)) {
      device->tf32_allowed = allows_tf32(run);
      devices_.emplace(run.run, *device);
    }
  }
}

void Targets::learn_from(const std::vector<OpRow>& ops) {
  for (const OpRow& op : ops) {
    const auto product = product_of(op.op, signature_from(op.signature));
    if (product && product->kind == ProductKind::Embedding) vocabularies_[op.run].push_back(product->dims[0].second);
  }
}

std::optional<TensorCoreVerdict> Targets::verdict(const OpRow& op) const {
  const auto device = devices_.find(op.run);
  if (device == devices_.end() || op.signature.empty()) return std::nullopt;
  // The output has the type that the op computed in: casts that AMP inserted come before the op.
  const DType computed_in = op.dtype_out == DType::Unknown ? op.dtype_in : op.dtype_out;
  const auto known = vocabularies_.find(op.run);
  const auto vocabularies = known == vocabularies_.end() ? std::span<const std::int64_t>() : known->second;
  auto verdict =
      tensor_core_verdict(op.op, op.phase, signature_from(op.signature), computed_in, device->second, vocabularies);
  if (!verdict) return verdict;
  Execution execution = execution_of(op);
  verdict->executed = name_of(execution.executed);
  verdict->evidence = std::move(execution.evidence);
  return verdict;
}

bool misses_tensor_cores(const TensorCoreVerdict& verdict) {
  return verdict.rule_today == RuleToday::Inefficient || verdict.rule_2018 == Rule2018::NotAligned;
}

std::string dimensions_of(const TensorCoreVerdict& verdict) {
  std::string text;
  for (const auto& [name, size] : verdict.dims) {
    text += (text.empty() ? "" : ", ") + name + " = " + std::to_string(size);
  }
  return text;
}

}  // namespace ampprof::cli
