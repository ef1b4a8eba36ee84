// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/ops/group.h"
#include "analysis/ops/site_filter.h"
#include "analysis/ops/targets.h"
#include "reports/queries/gaps.h"
#include "reports/queries/gpu_activities.h"
#include "reports/queries/ops.h"
#include "views/table/view.h"

namespace ampprof::views {

/// Only GEMMs and convolutions, those that miss a rule first.
View tensor_cores_view(std::vector<queries::OpRow> ops, const analysis::Targets& targets,
                       const std::optional<analysis::Grouping>& grouping = {});
/// Orders what took longest first. Shares count what the filter leaves out.
View kernels_view(std::vector<queries::GpuActivityRow> activities, const analysis::SiteFilter& filter,
                  const std::optional<analysis::Grouping>& grouping = {});
/// Orders what a GPU waited for longest first.
View idle_view(std::vector<queries::GapRow> gaps, const std::optional<analysis::Grouping>& grouping = {});

}  // namespace ampprof::views
