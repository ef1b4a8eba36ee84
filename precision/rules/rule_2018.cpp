// SPDX-License-Identifier: Apache-2.0
#include "precision/rules/rule.h"

namespace ampprof {

// cuDNN 7.3 relaxed the rule for convolutions: it pads the channels itself, at a cost. The size is still the fault.
Judgement<Rule2018> rule_2018(const Product& product, DType dtype) {
  constexpr std::int64_t kStep = 8;
  const bool could_be_half = dtype == DType::Half || dtype == DType::BFloat16 || dtype == DType::Float;
  if (product.is_depthwise || !could_be_half) return {Rule2018::NotApplicable, {}, kStep, ""};
  auto found = misaligned(product, kStep);
  if (found.empty()) return {Rule2018::Aligned, {}, kStep, ""};
  return {Rule2018::NotAligned, std::move(found), kStep, "The rule of 2018 asks for multiples of 8."};
}

}  // namespace ampprof
