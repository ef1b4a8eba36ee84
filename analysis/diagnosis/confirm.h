// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
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

/// Returns the remedies that a run can apply, in the order of the findings, each once per finding. `only` is the
/// Remedy::trial() of a single remedy to return; "" returns all. The result refers to `findings`.
std::vector<RemedyTrial> trials_of(const std::vector<Finding>& findings, std::string_view only = {});

/// Returns the argument of `ampprof run --remedy` that applies the best remedy for `run`, for advice without a policy
/// line. Prefers a remedy that a run confirmed, then a remedy of the costliest finding; leaves out refuted remedies. ""
/// if there is none.
std::string remedy_to_try(const std::vector<Finding>& findings, std::int64_t run);

/// A run and its findings.
struct Diagnosed {
  const queries::RunRow& run;
  const std::vector<Finding>& findings;
};

/// Compares the run without the remedy to the run with it. The remedy helped if all of these hold: the finding is gone
/// or costs less than half; no new finding costs as much as this finding did; at least half of the steps that the
/// finding skipped are executed; the losses do not end in NaN or inf unless they did before. A loss scale that changes
/// the first loss does not help.
Confirmation confirmation_of(const RemedyTrial& trial, const Diagnosed& without, const Diagnosed& with);

/// Returns a refutation with the reason `why`, a sentence.
Confirmation failed_confirmation(const RemedyTrial& trial, std::string why);

}  // namespace ampprof::analysis
