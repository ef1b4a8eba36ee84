// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "analysis/ranks/collectives.h"
#include "analysis/ops/group.h"
#include "analysis/ranks/ranks.h"
#include "analysis/ops/targets.h"
#include "reports/queries/gradient_impacts.h"
#include "reports/queries/queries.h"
#include "reports/queries/recipes.h"
#include "views/diagnosis/missing.h"
#include "views/table/view.h"

/// The views of `ampprof show`, one file each.
namespace ampprof::views {

View runs_view(const std::vector<queries::RunRow>& runs);
/// Largest local error first.
View ops_view(std::vector<queries::OpRow> ops, const analysis::Targets& targets,
              const std::optional<analysis::Grouping>& grouping = {});
View events_view(const std::vector<queries::EventRow>& events);
/// Only GEMMs and convolutions, those that miss a rule first.
View tensor_cores_view(std::vector<queries::OpRow> ops, const analysis::Targets& targets,
                       const std::optional<analysis::Grouping>& grouping = {});
/// Least headroom first, outputs in reduced precision before all others.
View ranges_view(std::vector<queries::OpRow> ops, const std::optional<analysis::Grouping>& grouping = {});
/// Orders what took longest first. Shares count what the filter leaves out.
View kernels_view(std::vector<queries::GpuActivityRow> activities, const analysis::SiteFilter& filter,
                  const std::optional<analysis::Grouping>& grouping = {});
/// Orders what a GPU waited for longest first.
View idle_view(std::vector<queries::GapRow> gaps, const std::optional<analysis::Grouping>& grouping = {});
/// Orders by bytes written, most first.
View casts_view(std::vector<queries::CastRow> rows, const std::optional<analysis::Grouping>& grouping = {});
/// The largest share of lost updates first.
View optimizer_view(std::vector<queries::UpdateRow> rows);
/// First what holds most of the error of all gradients of a run.
View gradients_view(std::vector<queries::GradientErrorRow> rows);
/// First what changes the loss most, then what changes gradients most, of each run and recipe. `changes`: what the loss
/// itself is in the recipe, less in the run.
View recipes_view(std::vector<queries::RecipeMatmulRow> rows, const std::vector<queries::LossChange>& changes = {});
/// Orders as the run saw them: one record for each value of a loss, micro-batches apart. Unscaled.
View losses_view(const std::vector<queries::LossRow>& losses);
/// For each run and loss its scales, the largest first: how gradients fare there, and what the scaler did.
View loss_scale_view(const std::vector<queries::RunRow>& runs, const std::vector<queries::OpRow>& ops,
                     const std::vector<queries::ScaleRow>& scales);
/// Orders by launch and rank. Long tables name the ranks that stand out, and count the others.
View ranks_view(const std::vector<analysis::RankedLaunch>& launches);
/// Orders as they come, which is those that take longest in all first.
View collectives_view(const std::vector<analysis::CollectiveSite>& sites);
/// The sum for each run and loss, then all that it is the sum of, the largest first.
/// `gradients` are rows of their own, below the others; without a grouping.
View impact_view(std::vector<queries::ImpactRow> rows, const std::optional<analysis::Grouping>& grouping = {},
                 const std::vector<queries::GradientImpactRow>& gradients = {});

/// The call site as tables show it, the phase short: "bwd conv1/convolution_backward".
std::string short_site(const std::string& call_site, Phase phase);
inline std::string short_site(const queries::OpRow& op) { return short_site(op.call_site, op.phase); }

/// A type for a table; "mixed" where it is not the same at all of several call sites.
std::string type_name(DType type, std::int64_t call_sites);

/// Records of these, as the views and the summary hold them.
Json to_json(const queries::RunRow& run);
Json to_json(const queries::OpRow& op, const analysis::Targets& targets);
Json to_json(const queries::EventRow& event);

}  // namespace ampprof::views
