// SPDX-License-Identifier: Apache-2.0
#include "precision/rules/rule.h"

namespace ampprof::rules {
namespace {

std::string reason_for(DType dtype, const gpu::DeviceCaps& device) {
  if (!device.tensor_cores) return device.name + " has no Tensor Cores.";
  if (dtype == DType::Float && device.major >= 8) {
    return "FP32 runs on Tensor Cores only where TF32 is allowed; FP16 always may.";
  }
  return "The Tensor Cores of " + device.name + " do not multiply " + std::string(name_for_people(dtype)) + ".";
}

// The rule of 2018 judges only sizes, so it judges an FP32 op as if it were FP16.
std::optional<Finding> check(const Matmul& matmul, const Demand& demand) {
  if (matmul.kind == MatmulKind::Embedding) return std::nullopt;
  const DType dtype = demand.dtype;
  if (demand.age == RuleAge::Of2018) {
    if (dtype == DType::Half || dtype == DType::BFloat16 || dtype == DType::Float) return std::nullopt;
    return Finding{.grade = Grade::NotEligible, .reason = "The rule of 2018 is about FP16."};
  }
  if (gpu::has_tensor_cores(demand.device, dtype)) return std::nullopt;
  return Finding{.grade = Grade::NotEligible, .reason = reason_for(dtype, demand.device)};
}

}  // namespace

Rule operand_type() { return {"operand_type", "the GPU's Tensor Cores multiply this type", check}; }

}  // namespace ampprof::rules
