// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "reports/compare/compare_runs.h"
#include "reports/queries/report.h"

namespace ampprof::gui {

class ReportFile;

/// A call site in a picture, and the matching call site of another run if two runs are compared.
struct PicturedSite {
  const queries::OpRow* row = nullptr;
  double steps = 1.0;                      ///< number of recorded steps of the run
  const queries::OpRow* before = nullptr;  ///< null if no run is compared, or if the other run lacks the call site
  double steps_before = 1.0;
  std::vector<compare::ComparedMetric> figures = {};  ///< compare::site_metrics(); empty if no run is compared
};

/// Call sites of a run in program order, each with its match in another run.
struct PicturedSites {
  std::shared_ptr<const void> owner;  ///< owns the rows
  std::vector<PicturedSite> sites;
  bool is_compared = false;
  std::size_t gone = 0;   ///< number of call sites that only the other run has
  bool has_noise = true;  ///< both sides have repeats, which show the noise; also true without a comparison
};

/// Reads the call sites of run id `run`, compared with those of run id `before` if given. If the runs' levels have
/// repeats, compares all repeats; PicturedSite::row and PicturedSite::before are from the first repeat.
PicturedSites picturedSites(const ReportFile& file, std::int64_t run, std::optional<std::int64_t> before);

/// Reads the call sites of run id `run`, restricted to `steps`. The rows have no loss change.
PicturedSites picturedSteps(const ReportFile& file, std::int64_t run, const queries::StepSpan& steps);

}  // namespace ampprof::gui
