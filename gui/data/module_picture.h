// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "gui/data/pictured_sites.h"
#include "gui/data/weighted_tree.h"
#include "reports/records/phase.h"

namespace ampprof::gui {

struct SiteMeasure;

/// Values of a node: totals of a module, or values of a call site.
struct NodeFigures {
  std::vector<std::optional<double>> now = {};  ///< in the order of siteMeasures()
  std::optional<double> before = {};            ///< value in the other run, for the measure that determines weights
  std::size_t sites = 0;                        ///< number of call sites
  /// True: the change of some call site is above noise, or noise is unknown.
  bool is_sure = true;
};

/// Data of a drawing of a run's modules and ops.
struct ModulePicture {
  WeightedTree tree;                            ///< leaf i is sites[i]
  std::vector<const PicturedSite*> sites = {};  ///< call sites of the chosen phase
  std::vector<NodeFigures> figures = {};        ///< indexed by node
};

/// Weighs the call sites of a phase, or of all phases, by siteMeasures()[measure]. An infinite value weighs as much as
/// the largest finite one. Call sites outside modules form one group per phase. The result points into `sites`, which
/// must outlive it.
ModulePicture modulePicture(const PicturedSites& sites, std::optional<Phase> phase, std::size_t measure);

/// Returns the largest finite value of a call site; 0 if there is none.
double largestOf(const ModulePicture& picture, std::size_t measure);

}  // namespace ampprof::gui
