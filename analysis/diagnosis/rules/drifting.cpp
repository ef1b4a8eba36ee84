// SPDX-License-Identifier: Apache-2.0
#include "analysis/diagnosis/rules/drifting.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>

#include "analysis/diagnosis/rules/remedies.h"
#include "analysis/diagnosis/symptoms.h"
#include "precision/rules/rule.h"
#include "reports/queries/drifts.h"
#include "reports/records/dtype.h"
#include "reports/text/numbers.h"

namespace ampprof::analysis {
namespace {

constexpr double kLittle = 0.05;  // smallest lost_share() to report; rounding a constant of the optimizer loses as much

bool is_lost(const queries::DriftRow& row) {
  const bool is_so = row.of.verdict == DriftClass::Lost || row.of.verdict == DriftClass::Biased;
  return is_so && lost_share(row) >= kLittle;
}

}  // namespace

double lost_share(const queries::DriftRow& row) { return std::min(1.0, std::max(row.of.lost, std::abs(row.of.bias))); }

std::vector<const queries::DriftRow*> drifting(const Symptoms& symptoms, bool (*is_meant)(const queries::DriftRow&)) {
  std::vector<const queries::DriftRow*> rows;
  for (const queries::DriftRow* row : symptoms.drifts) {
    if (is_lost(*row) && is_reduced_precision(row->of.dtype) && is_meant(*row)) rows.push_back(row);
  }
  std::ranges::stable_sort(rows, std::greater(), [](const queries::DriftRow* row) { return lost_share(*row); });
  return rows;
}

Finding finding_of_drift(const std::vector<const queries::DriftRow*>& rows, double weight) {
  const queries::DriftRow& worst = *rows.front();
  std::vector<std::string> names;
  for (const queries::DriftRow* row : std::span(rows).subspan(1)) names.push_back(row->of.parameter);
  const std::string how =
      worst.of.lost >= std::abs(worst.of.bias)
          ? fmt::format(
                "{} of its elements move at most half as far as exact updates move them, since updates below half the "
                "spacing of {} values are rounded away",
                text::percent(worst.of.lost), rules::name_for_people(worst.of.dtype))
          : fmt::format("each addition is rounded to {}, and the result is {} short of the exact sum",
                        rules::name_for_people(worst.of.dtype), text::percent(std::abs(worst.of.bias)));
  return {.culprit = culprit_of(worst),
          .mechanism = fmt::format("{}: {}.{}", worst.of.parameter.empty() ? worst.call_site : worst.of.parameter, how,
                                   names.empty() ? "" : fmt::format(" The same applies to {}.", some_of(names))),
          .cost = weight * lost_share(worst),
          .confidence = Confidence::Certain};
}

}  // namespace ampprof::analysis
