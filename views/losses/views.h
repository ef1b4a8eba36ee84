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

/// Orders tensors by urgency (NaN, then lost, then biased), then by drift.
View drift_view(std::vector<queries::DriftRow> rows);
/// Orders parameters by the share of lost updates, largest first.
View optimizer_view(std::vector<queries::UpdateRow> rows);
/// Orders parameters by their share of the run's total gradient error, largest first.
View gradients_view(std::vector<queries::GradientErrorRow> rows);
/// Orders the ops of each run by the share of differing decisions, largest first.
View decisions_view(const std::vector<queries::DecisionRow>& rows);
/// Shows each loss of each micro-batch, in program order. Values are unscaled.
View losses_view(const std::vector<queries::LossRow>& losses);
/// Shows the scales of each run and loss, the largest first, with the state of the gradients and the scaler's decisions
/// at each scale.
View loss_scale_view(const std::vector<queries::RunName>& runs, const std::vector<queries::OpRow>& ops,
                     const std::vector<queries::ScaleRow>& scales);
/// Shows the sum of the impacts on each loss of each run, then the impacts, the largest first. Without a grouping, rows
/// of `gradients` follow.
View impact_view(std::vector<queries::ImpactRow> rows, const std::optional<analysis::Grouping>& grouping = {},
                 const std::vector<queries::GradientImpactRow>& gradients = {});

}  // namespace ampprof::views
