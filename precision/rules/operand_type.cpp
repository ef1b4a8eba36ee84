// SPDX-License-Identifier: Apache-2.0
#include "precision/rules/rule.h"

namespace ampprof::rules {
namespace {

bool wants_tf32(DType dtype, const gpu::DeviceCaps& device) { return dtype == DType::Float && device.major >= 8; }

std::string reason_for(DType dtype, const gpu::DeviceCaps& device) {
  if (!device.tensor_cores) return device.name + " has no Tensor Cores.";
  const std::string other_types = gpu::has_tensor_cores(device, DType::BFloat16) ? "BF16 or FP16." : "FP16.";
  if (wants_tf32(dtype, device)) {
    return "FP32 runs on Tensor Cores only where TF32 is allowed. Allow TF32, or use " + other_types;
  }
  return device.name + " has no Tensor Cores for " + std::string(name_for_people(dtype)) + ". Use " + other_types;
}

std::string brief_for(DType dtype, const gpu::DeviceCaps& device) {
  if (!device.tensor_cores) return "no Tensor Cores";
  if (wants_tf32(dtype, device)) return "FP32, no TF32";
  const std::string_view name = name_for_people(dtype);
  return "no " + std::string(name == "this type" ? short_name(dtype) : name) + " on " + device.name;
}

// The rule of 2018 judges only sizes, so it judges an FP32 op as if it were FP16.
std::optional<Finding> check(const Matmul& matmul, const RuleConditions& demand) {
  if (matmul.kind == MatmulKind::Embedding) return std::nullopt;
  const DType dtype = demand.dtype;
  if (demand.age == RuleAge::Of2018) {
    if (dtype == DType::Half || dtype == DType::BFloat16 || dtype == DType::Float) return std::nullopt;
    return Finding{.grade = Grade::NotEligible, .reason = "The rule of 2018 covers FP16 only."};
  }
  if (gpu::has_tensor_cores(demand.device, dtype)) return std::nullopt;
  return Finding{.grade = Grade::NotEligible,
                 .reason = reason_for(dtype, demand.device),
                 .brief = brief_for(dtype, demand.device)};
}

}  // namespace

Rule operand_type() { return {"operand_type", "the GPU's Tensor Cores support the type of the operands", check}; }

}  // namespace ampprof::rules
