// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "views/table/view.h"

namespace ampprof::views {

struct ViewSource;

struct NamedView {
  const char* name;
  const char* about;  ///< a phrase that describes the rows
  View (*make)(ViewSource&);
  bool takes_grouping = false;  ///< rows are call sites, which --group-by can merge
  bool takes_steps = false;     ///< rows sum up op calls, and --steps restricts the summed steps
  bool filters_sites = false;   ///< `make` applies ViewSource::filter
};

/// Returns the views of `ampprof show`, in the order of the help.
const std::vector<NamedView>& all_views();

}  // namespace ampprof::views
