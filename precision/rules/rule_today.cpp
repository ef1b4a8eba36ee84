// SPDX-License-Identifier: Apache-2.0
#include "precision/rules/rule.h"

namespace ampprof {
namespace {

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

std::string reason_for_type(DType dtype, const DeviceCaps& device) {
  if (!device.tensor_cores) return device.name + " has no Tensor Cores.";
  if (dtype == DType::Float && device.major >= 8) {
    return "FP32 runs on Tensor Cores only where TF32 is allowed; FP16 always may.";
  }
  return "The Tensor Cores of " + device.name + " do not multiply " + std::string(name_for_people(dtype)) + ".";
}

std::int64_t bytes_on_tensor_cores(DType dtype) { return dtype == DType::Unknown ? 1 : size_of(dtype); }

}  // namespace

Judgement<RuleToday> rule_today(const Product& product, DType dtype, const DeviceCaps& device) {
  if (!has_tensor_cores(device, dtype)) return {RuleToday::NotEligible, {}, 1, reason_for_type(dtype, device)};
  if (product.is_depthwise) {
    return {RuleToday::NotEligible, {}, 1, "A depthwise convolution has no matrix product to give to Tensor Cores."};
  }
  const std::int64_t step = device.alignment_bytes / bytes_on_tensor_cores(dtype);
  const std::string multiples = "multiples of " + std::to_string(step);
  auto found = misaligned(product, step);
  if (found.empty()) return {RuleToday::Efficient, {}, step, "Sizes are " + multiples + "."};
  return {RuleToday::Inefficient, std::move(found), step,
          "Tensor Cores can be used but are fed badly: " + device.name + " wants " + multiples + " (" +
              std::to_string(device.alignment_bytes) + " bytes of " + std::string(name_for_people(dtype)) + ")."};
}

}  // namespace ampprof
