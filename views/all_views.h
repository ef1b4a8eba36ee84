// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "views/table/view.h"

namespace ampprof::views {

struct ViewSource;

struct NamedView {
  const char* name;
  const char* about;  ///< a phrase: what its rows are
  View (*make)(ViewSource&);
  bool takes_grouping = false;  ///< its rows are those of call sites
  bool takes_steps = false;     ///< its rows sum up op calls, of chosen steps or all
  bool filters_sites = false;   ///< it applies ViewSource::filter itself
};

/// The views of `ampprof show` that are tables, in the order of the help.
const std::vector<NamedView>& all_views();

}  // namespace ampprof::views
