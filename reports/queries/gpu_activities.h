// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "reports/queries/gpu_activity_use.h"
#include "reports/queries/place_of_call.h"
#include "reports/queries/report.h"
#include "reports/records/op_total.h"
#include "reports/records/phase.h"

namespace ampprof::queries {

/// Sums up what a GPU did under one name for one call site.
struct GpuActivityRow : PlaceOfCall<std::optional<Phase>> {
  GpuActivityUse use;
};

/// Returns what GPUs did, by call site and name. Of some steps it is what was launched in their segments.
std::vector<GpuActivityRow> gpu_activities(const Report& report, RunFilter run = {}, const StepFilter& steps = {});

/// Returns what a total says, with the name that it has the id of.
GpuActivityUse gpu_activity_use(const GpuActivityTotal& total,
                                const std::unordered_map<std::int64_t, std::string>& names);

}  // namespace ampprof::queries
