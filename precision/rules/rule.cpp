// SPDX-License-Identifier: Apache-2.0
#include "precision/rules/rule.h"

#include <algorithm>
#include <limits>

namespace ampprof::rules {

std::vector<Finding> findings_of(const Matmul& matmul, const RuleConditions& demand) {
  std::vector<Finding> findings;
  for (const Rule& rule : all_rules()) {
    auto finding = rule.check(matmul, demand);
    if (!finding) continue;
    finding->rule = rule.id;
    finding->age = demand.age;
    findings.push_back(std::move(*finding));
  }
  const auto is_eligible = [](const Finding& finding) { return finding.grade != Grade::NotEligible; };
  if (!std::ranges::all_of(findings, is_eligible)) std::erase_if(findings, is_eligible);
  return findings;
}

RuleConditions rule_conditions_of(RuleAge age, DType dtype, const gpu::DeviceCaps& device) {
  if (age == RuleAge::Of2018) return {age, dtype, device, 8};
  return {age, dtype, device, device.alignment_bytes / std::max(1, size_of(dtype))};
}

std::int64_t round_up(std::int64_t value, std::int64_t step) {
  const std::int64_t rest = value % step;
  const bool fits = value <= std::numeric_limits<std::int64_t>::max() - step;
  return rest == 0 || !fits ? value : value - rest + step;
}

std::vector<Fault> misaligned(const Matmul& matmul, std::int64_t step) {
  std::vector<Fault> faults;
  for (std::size_t i = 0; i < matmul.alignable.size(); ++i) {
    const auto& [name, size] = matmul.alignable[i];
    if (size % step != 0) faults.push_back({name, size, round_up(size, step), i});
  }
  return faults;
}

std::string multiples_of(const RuleConditions& demand) { return "multiples of " + std::to_string(demand.multiple); }

std::string sizes_wanted(const RuleConditions& demand) {
  if (demand.age == RuleAge::Of2018) return "The rule of 2018 asks for " + multiples_of(demand) + ".";
  return "Tensor Cores can be used, but inefficiently: " + demand.device.name + " wants " + multiples_of(demand) +
         " (" + std::to_string(demand.device.alignment_bytes) + " bytes of " +
         std::string(name_for_people(demand.dtype)) + ").";
}

std::string_view name_for_people(DType dtype) {
  switch (dtype) {
    case DType::Half:
      return "FP16";
    case DType::BFloat16:
      return "BF16";
    case DType::Float:
      return "FP32";
    case DType::Double:
      return "FP64";
    case DType::Float8E4M3:
    case DType::Float8E5M2:
      return "FP8";
    default:
      return "this type";
  }
}

}  // namespace ampprof::rules
