// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>
#include <string>

#include "precision/rules/rule.h"

namespace ampprof::rules::testing_rules {

/// A call to check against one rule, and the expected finding: its grade and faults, as in "inefficient K 33->40", or
/// "".
struct Case {
  const char* name;
  const char* op;
  const char* signature;
  RuleAge age;
  std::string expected;
  DType dtype = DType::Half;
  const char* device = "sm_90";
};

inline void PrintTo(const Case& row, std::ostream* out) { *out << row.name; }

inline std::optional<Finding> answer_of(const Rule& rule, const Case& row) {
  const auto device = gpu::device_caps(row.device).value();
  const auto matmul = matmul_of(row.op, signature_from(row.signature)).value();
  return rule.check(matmul, rule_conditions_of(row.age, row.dtype, device));
}

inline std::string text_of(const std::optional<Finding>& finding) {
  if (!finding) return "";
  constexpr const char* kGrades[] = {"hint", "inefficient", "not eligible"};
  std::string text = kGrades[static_cast<int>(finding->grade)];
  for (const Fault& fault : finding->faults) {
    text += ' ' + fault.name + ' ' + std::to_string(fault.is) + "->" + std::to_string(fault.wanted);
  }
  return text;
}

inline constexpr RuleAge kThen = RuleAge::Of2018;
inline constexpr RuleAge kToday = RuleAge::Today;

}  // namespace ampprof::rules::testing_rules
