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

/// A call site of a picture, and the same in another run where two are compared.
struct PicturedSite {
  const queries::OpRow* row = nullptr;
  double steps = 1.0;                      ///< recorded ones of its run
  const queries::OpRow* before = nullptr;  ///< null without another run, and where that does not have it
  double steps_before = 1.0;
  std::vector<compare::ComparedFigure> figures = {};  ///< of compare::site_figures(); empty without another run
};

/// The call sites of a run in the order of the program, and what another run had in their places.
struct PicturedSites {
  std::shared_ptr<const void> owner;  ///< of the rows
  std::vector<PicturedSite> sites;
  bool is_compared = false;
  std::size_t gone = 0;   ///< call sites that only the other run has
  bool has_noise = true;  ///< repeats tell a change from noise
};

/// Reads the call sites of `run`, compared with those of `before` where that is named; both are ids. With repeats of a
/// level, all of them are compared, and the first stands for its level.
PicturedSites picturedSites(const ReportFile& file, std::int64_t run, std::optional<std::int64_t> before);

/// Reads the call sites of `run` in some steps. They have no change of the loss.
PicturedSites picturedSteps(const ReportFile& file, std::int64_t run, const queries::StepSpan& steps);

}  // namespace ampprof::gui
