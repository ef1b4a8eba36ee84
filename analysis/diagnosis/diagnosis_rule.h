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
/// To add one: write `rules/<id>.cpp`, name it in rules/all_rules.cpp, describe it in README.md and test it in
/// tests/analysis/diagnosis/rules/<id>_test.cpp. The test `architecture.rules` says what is missing.
struct DiagnosisRule {
  std::string_view id;       ///< in JSON and gates: never rename
  std::string_view summary;  ///< one line, for lists and tooltips

  std::vector<Finding> (*find)(const Symptoms&);
  bool is_last_resort = false;  ///< asked where no other rule finds anything in the run
};

/// Returns all rules, in the order in which their findings stand where these cost the same.
std::span<const DiagnosisRule> all_diagnosis_rules();

}  // namespace ampprof::analysis
