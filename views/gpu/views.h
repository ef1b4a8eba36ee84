// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/ops/group.h"
#include "views/table/view.h"

namespace ampprof::analysis {
class Targets;
}

namespace ampprof::queries {
struct GapRow;
struct GpuActivityRow;
struct OpRow;
}  // namespace ampprof::queries

namespace ampprof::views {

/// Only GEMMs and convolutions, those that miss a rule first.
View tensor_cores_view(const std::vector<queries::OpRow>& ops, const analysis::Targets& targets,
                       const std::optional<analysis::Grouping>& grouping = {});
/// Orders what took longest first. Shares count what the filter leaves out.
View kernels_view(std::vector<queries::GpuActivityRow> activities, const analysis::SiteFilter& filter,
                  const std::optional<analysis::Grouping>& grouping = {});
/// Orders what a GPU waited for longest first.
View idle_view(std::vector<queries::GapRow> gaps, const std::optional<analysis::Grouping>& grouping = {});

}  // namespace ampprof::views
