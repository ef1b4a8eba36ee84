// SPDX-License-Identifier: Apache-2.0
#include "precision/rules/rule.h"

namespace ampprof::rules {
namespace {

// An operand whose type differs from the compute type was cast, and the copy is contiguous.
std::optional<Finding> check(const Matmul& matmul, const RuleConditions& demand) {
  if (demand.age != RuleAge::Today) return std::nullopt;
  Finding finding{.grade = Grade::Inefficient};
  for (const OperandLayout& layout : matmul.layouts) {
    if (layout.dtype != demand.dtype) continue;
    if (layout.leading_dimension % demand.multiple != 0) {
      finding.faults.push_back({"leading dimension of " + layout.name, layout.leading_dimension,
                                round_up(layout.leading_dimension, demand.multiple)});
    }
    if (layout.alignment < kFullAlignment) {
      finding.faults.push_back({"address alignment of " + layout.name, layout.alignment, kFullAlignment});
    }
  }
  if (finding.faults.empty()) return std::nullopt;
  finding.reason = "Rows must also begin at multiples of 16 bytes in memory; rows of a slice may begin elsewhere.";
  return finding;
}

}  // namespace

Rule operand_layout() { return {"operand_layout", "address and leading dimension of each operand are aligned", check}; }

}  // namespace ampprof::rules
