// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "analysis/diagnosis/finding.h"

namespace ampprof::analysis {

struct Symptoms;

/// One kind of fault: a pure function with a name.
///
/// To add a rule: write `rules/<id>.cpp`, name it in rules/all_rules.cpp, describe it in README.md and test it in
/// tests/analysis/diagnosis/rules/<id>_test.cpp. The test `architecture.rules` lists the missing parts.
struct DiagnosisRule {
  std::string_view id;       ///< part of JSON and gates, so it is never renamed
  std::string_view summary;  ///< one line for lists and tooltips

  std::vector<Finding> (*find)(const Symptoms&);
  bool is_last_resort = false;  ///< evaluated only if no other rule finds anything in the run
};

/// Returns all rules. Findings of equal cost keep this order.
std::span<const DiagnosisRule> all_diagnosis_rules();

}  // namespace ampprof::analysis
