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

/// Total of the GPU activities with one name that one call site launched.
struct GpuActivityRow : CallSiteColumns<std::optional<Phase>> {
  GpuActivityUse use;
};

/// Returns GPU activities by call site and name. With `steps`, counts only activities launched in these steps.
std::vector<GpuActivityRow> gpu_activities(const Report& report, RunFilter run = {}, const StepFilter& steps = {});

/// Converts a total for display, with the text of its name.
GpuActivityUse gpu_activity_use(const GpuActivityTotal& total,
                                const std::unordered_map<std::int64_t, std::string>& names);

}  // namespace ampprof::queries
