// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/ops/group.h"
#include "reports/records/dtype.h"
#include "reports/records/phase.h"
#include "views/table/view.h"

namespace ampprof::analysis {
class Targets;
}

namespace ampprof::queries {
struct CastRow;
struct OpRow;
struct StaleCastRow;
}  // namespace ampprof::queries

namespace ampprof::views {

/// Orders ops like analysis::matters_more(): NaN and inf first, then by loss impact, then by local error, largest
/// first.
View ops_view(const std::vector<queries::OpRow>& ops, const analysis::Targets& targets,
              const std::optional<analysis::Grouping>& grouping = {});
/// Orders ops by headroom, smallest first. Outputs recorded or judged in reduced precision come before all others.
View ranges_view(const std::vector<queries::OpRow>& ops, const std::optional<analysis::Grouping>& grouping = {});
/// Orders casts by bytes written, most first.
View casts_view(std::vector<queries::CastRow> rows, const std::optional<analysis::Grouping>& grouping = {});
/// Orders stale casts by relative change, largest first.
View stale_casts_view(std::vector<queries::StaleCastRow> rows);
/// Returns the call site for a table, with a short phase: "bwd conv1/convolution_backward".
std::string short_site(const std::string& call_site, Phase phase);
std::string short_site(const queries::OpRow& op);
/// Returns a type for a table; "mixed" if several call sites differ.
std::string type_name(DType type, std::int64_t call_sites);
Json to_json(const queries::OpRow& op, const analysis::Targets& targets);

}  // namespace ampprof::views
