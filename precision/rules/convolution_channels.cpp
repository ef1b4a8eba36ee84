// SPDX-License-Identifier: Apache-2.0
#include "precision/rules/rule.h"

namespace ampprof::rules {
namespace {

// Batch and image sizes do not matter: they make up the rows of the matmul, and loads run along the channels.
std::optional<Finding> check(const Matmul& matmul, const RuleConditions& demand) {
  if (matmul.kind != MatmulKind::Convolution) return std::nullopt;
  auto faults = misaligned(matmul, demand.multiple);
  if (faults.empty()) return std::nullopt;
  std::string reason = sizes_wanted(demand);
  if (demand.age == RuleAge::Of2018) reason += " Since version 7.3 cuDNN pads the channels itself, which costs time.";
  return Finding{.grade = Grade::Inefficient, .faults = std::move(faults), .reason = std::move(reason)};
}

}  // namespace

Rule convolution_channels() {
  return {"convolution_channels", "C_in and C_out of each group fill whole blocks of the GPU's loads", check};
}

}  // namespace ampprof::rules
