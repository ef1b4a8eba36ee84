// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/ops/group.h"
#include "reports/queries/gradient_impacts.h"
#include "views/table/view.h"

namespace ampprof::queries {
struct DecisionRow;
struct DriftRow;
struct ImpactRow;
struct LossRow;
struct OpRow;
struct RunName;
struct ScaleRow;
struct UpdateRow;
}  // namespace ampprof::queries

namespace ampprof::views {

/// Orders by what matters most: NaN, lost and biased tensors, then by drift.
View drift_view(std::vector<queries::DriftRow> rows);
/// The largest share of lost updates first.
View optimizer_view(std::vector<queries::UpdateRow> rows);
/// First what holds most of the error of all gradients of a run.
View gradients_view(std::vector<queries::GradientErrorRow> rows);
/// The largest share of decisions that differ first, run by run.
View decisions_view(const std::vector<queries::DecisionRow>& rows);
/// Orders as the run saw them: one record for each value of a loss, micro-batches apart. Unscaled.
View losses_view(const std::vector<queries::LossRow>& losses);
/// For each run and loss its scales, the largest first: how gradients fare there, and what the scaler did.
View loss_scale_view(const std::vector<queries::RunName>& runs, const std::vector<queries::OpRow>& ops,
                     const std::vector<queries::ScaleRow>& scales);
/// The sum for each run and loss, then all that it is the sum of, the largest first.
/// `gradients` are rows of their own, below the others; without a grouping.
View impact_view(std::vector<queries::ImpactRow> rows, const std::optional<analysis::Grouping>& grouping = {},
                 const std::vector<queries::GradientImpactRow>& gradients = {});

}  // namespace ampprof::views
