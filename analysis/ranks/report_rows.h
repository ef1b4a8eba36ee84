// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "analysis/ranks/representatives.h"
#include "reports/queries/confirmations.h"
#include "reports/queries/decisions.h"
#include "reports/queries/drifts.h"
#include "reports/queries/events.h"
#include "reports/queries/gradient_impacts.h"
#include "reports/queries/impacts.h"
#include "reports/queries/losses.h"
#include "reports/queries/missing.h"
#include "reports/queries/ops.h"
#include "reports/queries/scales.h"
#include "reports/queries/stale_casts.h"
#include "reports/queries/updates.h"

namespace ampprof::analysis {

inline constexpr double kDivergedError = 1e-2;  ///< least inherited error (relative L2) at which an op diverges

/// All rows of a report that findings use. For a report with many ranks, op calls, events and impacts are restricted to
/// shown().
struct ReportRows {
  std::vector<queries::RunRow> runs = {};
  std::vector<queries::OpRow> ops = {};
  std::vector<queries::EventRow> events = {};
  std::vector<queries::MissingRow> missing = {};
  std::vector<queries::ImpactRow> impacts = {};
  std::vector<queries::StaleCastRow> stale_casts = {};
  std::vector<queries::ScaleRow> scales = {};
  std::vector<queries::LossRow> losses = {};
  std::vector<queries::DriftRow> drifts = {};
  std::vector<queries::DecisionRow> decisions = {};
  std::vector<queries::GradientErrorRow> gradients = {};
  std::vector<queries::UpdateRow> updates = {};
  std::vector<queries::ConfirmationRow> confirmations = {};
  double threshold = kDivergedError;
  std::optional<Representatives> representatives = {};  ///< empty unless the report has many ranks

  /// Returns the runs to show side by side.
  const std::vector<queries::RunRow>& shown() const { return representatives ? representatives->runs : runs; }
};

/// Reads all rows of `runs` except missing data. `ops` are their op rows, which the caller has read. Leaves
/// `representatives` empty.
ReportRows read_rows(const queries::Report& report, const std::vector<queries::RunRow>& runs,
                     std::vector<queries::OpRow> ops);

}  // namespace ampprof::analysis
