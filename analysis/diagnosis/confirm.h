// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analysis/diagnosis/finding.h"
#include "reports/records/confirmation.h"

namespace ampprof::queries {
struct RunRow;
}

namespace ampprof::analysis {

/// A run of the program that can show whether a remedy helps.
struct RemedyTrial {
  const Finding* finding = nullptr;
  const Remedy* remedy = nullptr;
};

/// Returns what is worth a run: remedies that a run can apply, of findings as they come; each finding tries each of
/// them once. `only` is the trial() of the wanted one; "" wants all. Refers to `findings`.
std::vector<RemedyTrial> trials_of(const std::vector<Finding>& findings, std::string_view only = {});

/// A run and what is wrong with it.
struct Diagnosed {
  const queries::RunRow& run;
  const std::vector<Finding>& findings;
};

/// Compares the run without the remedy to the one with it. The remedy helped if the finding is gone, or costs less than
/// half, no new finding costs as much, and half of the steps that it skipped are done.
Confirmation confirmation_of(const RemedyTrial& trial, const Diagnosed& without, const Diagnosed& with);

/// Returns a refutation for another reason; `why` is a sentence.
Confirmation failed_confirmation(const RemedyTrial& trial, std::string why);

}  // namespace ampprof::analysis
