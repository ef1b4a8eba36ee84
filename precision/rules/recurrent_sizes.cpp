// SPDX-License-Identifier: Apache-2.0
#include "precision/rules/rule.h"

namespace ampprof::rules {
namespace {

std::optional<Finding> check(const Matmul& matmul, const RuleConditions& demand) {
  if (matmul.kind != MatmulKind::Recurrent) return std::nullopt;
  auto faults = misaligned(matmul, demand.multiple);
  if (faults.empty()) return std::nullopt;
  return Finding{.grade = Grade::Inefficient, .faults = std::move(faults), .reason = sizes_wanted(demand)};
}

}  // namespace

Rule recurrent_sizes() {
  return {"recurrent_sizes", "hidden, input and batch of a recurrent network fill whole blocks of the GPU's loads",
          check};
}

}  // namespace ampprof::rules
