// SPDX-License-Identifier: Apache-2.0
#include "precision/rules/rule.h"

namespace ampprof::rules {
namespace {

std::optional<Finding> check(const Matmul& matmul, const RuleConditions&) {
  if (!matmul.is_depthwise) return std::nullopt;
  return Finding{.grade = Grade::NotEligible,
                 .reason = "A depthwise convolution has no matmul for Tensor Cores.",
                 .brief = "depthwise"};
}

}  // namespace

Rule depthwise_convolution() {
  return {"depthwise_convolution", "a convolution has more than one input channel per group", check};
}

}  // namespace ampprof::rules
