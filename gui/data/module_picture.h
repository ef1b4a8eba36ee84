// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "gui/data/pictured_sites.h"
#include "gui/data/weighted_tree.h"
#include "reports/records/phase.h"

namespace ampprof::gui {

struct SiteMeasure;

/// Holds what a module or a call site comes to.
struct NodeFigures {
  std::vector<std::optional<double>> now = {};  ///< of siteMeasures()
  std::optional<double> before = {};            ///< of the measure that is weighed, in the other run
  std::size_t sites = 0;                        ///< call sites
  bool is_sure = true;                          ///< some change in it is none of noise, or noise is not known
};

/// Holds what is drawn of a run's modules and ops.
struct ModulePicture {
  WeightedTree tree;                            ///< its leaves are `sites`
  std::vector<const PicturedSite*> sites = {};  ///< those of the chosen phase
  std::vector<NodeFigures> figures = {};        ///< of each node
};

/// Weighs call sites of a phase, or of all, by a measure. An infinite figure weighs as much as the largest finite one.
/// Call sites outside modules stand together, those of a phase each. Points to `sites`, which must outlive it.
ModulePicture modulePicture(const PicturedSites& sites, std::optional<Phase> phase, std::size_t measure);

/// Returns the largest finite figure of all call sites; 0 without one.
double largestOf(const ModulePicture& picture, std::size_t measure);

}  // namespace ampprof::gui
