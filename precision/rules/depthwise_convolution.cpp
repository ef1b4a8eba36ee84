// SPDX-License-Identifier: Apache-2.0
#include "precision/rules/rule.h"

namespace ampprof {
namespace {

std::optional<Finding> check(const Product& product, const Demand&) {
  if (!product.is_depthwise) return std::nullopt;
  return Finding{.grade = Grade::NotEligible,
                 .reason = "A depthwise convolution has no matrix product to give to Tensor Cores."};
}

}  // namespace

Rule depthwise_convolution() {
  return {"depthwise_convolution", "a convolution has more than one input channel a group", check};
}

}  // namespace ampprof
