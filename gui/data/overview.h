// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "reports/queries/missing.h"
#include "views/diagnosis/run_figures.h"
#include "views/table/sentence.h"

namespace ampprof::analysis {
struct Representatives;
}

namespace ampprof::gui {

/// Holds what a window shows of a report first.
struct Overview {
  std::vector<views::Sentence> answer;                               ///< most important first
  std::vector<std::string> runs;                                     ///< labels of those that stand side by side
  std::shared_ptr<const analysis::Representatives> representatives;  ///< of many ranks; else null
  std::vector<views::RunFigure> figures;
  std::vector<queries::MissingRow> missing;
};

}  // namespace ampprof::gui
