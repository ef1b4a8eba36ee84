// SPDX-License-Identifier: Apache-2.0
#include "precision/rules/rule.h"

namespace ampprof::rules {
namespace {

// Today's finding is "not eligible". The rule of 2018 judges the width, since it is a size of later matmuls.
std::optional<Finding> check(const Matmul& matmul, const RuleConditions& demand) {
  if (matmul.kind != MatmulKind::Embedding) return std::nullopt;
  if (demand.age == RuleAge::Today) {
    return Finding{.grade = Grade::NotEligible,
                   .reason = "An embedding looks rows up and multiplies nothing.",
                   .brief = "embedding"};
  }
  auto faults = misaligned(matmul, demand.multiple);
  if (faults.empty()) return std::nullopt;
  return Finding{.grade = Grade::Inefficient,
                 .faults = std::move(faults),
                 .reason = "The embedding's width is K of the matmuls that follow, and should be a multiple of 8."};
}

}  // namespace

Rule embedding_width() { return {"embedding_width", "the width of an embedding suits the matmuls that follow", check}; }

}  // namespace ampprof::rules
