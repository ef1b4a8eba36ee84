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

/// Shows only ops that Tensor Core rules judge: first ops that cannot use Tensor Cores, then ops that break a rule.
View tensor_cores_view(const std::vector<queries::OpRow>& ops, const analysis::Targets& targets,
                       const std::optional<analysis::Grouping>& grouping = {});
/// Orders kernels by GPU time, longest first. Shares refer to the run's GPU time before filtering.
View kernels_view(std::vector<queries::GpuActivityRow> activities, const analysis::SiteFilter& filter,
                  const std::optional<analysis::Grouping>& grouping = {});
/// Orders the causes of GPU idle time by idle time, longest first.
View idle_view(std::vector<queries::GapRow> gaps, const std::optional<analysis::Grouping>& grouping = {});

}  // namespace ampprof::views
