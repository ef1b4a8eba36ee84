// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "cli/views/targets.h"
#include "cli/views/view.h"
#include "reports/queries/queries.h"

/// The views of `ampprof show`, one file each.
namespace ampprof::cli {

View runs_view(const std::vector<RunRow>& runs);
/// Largest local error first.
View ops_view(std::vector<OpRow> ops, const Targets& targets);
View events_view(const std::vector<EventRow>& events);
/// Only GEMMs and convolutions, those that miss a rule first.
View tensor_cores_view(const std::vector<OpRow>& ops, const Targets& targets);
/// Least headroom first, outputs in reduced precision before all others.
View ranges_view(std::vector<OpRow> ops);
/// What was written most first.
View casts_view(std::vector<CastRow> rows);
/// The largest share of lost updates first.
View optimizer_view(std::vector<UpdateRow> rows);
/// For each run and loss its scales, the largest first: how gradients fare there, and what the scaler did.
View loss_scale_view(const std::vector<RunRow>& runs, const std::vector<OpRow>& ops,
                     const std::vector<ScaleRow>& scales);
/// The sum for each run and loss, then all that it is the sum of, the largest first.
View impact_view(std::vector<ImpactRow> rows);
View missing_view(const std::vector<MissingRow>& missing);

/// "O1", "O1 #2" for the second of several runs at one level, "run 3" where no level is known.
std::string label_of(const RunRow& run, const std::vector<RunRow>& runs);

/// The call site as tables show it, the phase short: "bwd conv1/convolution_backward".
std::string short_site(const OpRow& op);

/// Records of these, as the views and the summary hold them.
Json to_json(const RunRow& run);
Json to_json(const OpRow& op, const Targets& targets);
Json to_json(const TensorCoreVerdict& verdict);
Json to_json(const EventRow& event);
Json to_json(const MissingRow& missing);

/// Larger of two errors first: not finite, then by size; rows without a local error last.
bool has_larger_error(const OpRow& a, const OpRow& b);

}  // namespace ampprof::cli
