// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "reports/queries/report.h"
#include "reports/records/op_total.h"
#include "reports/records/statistics.h"

namespace ampprof::queries {

/// The local error of one call site in one step.
struct StepError {
  std::int64_t step = 0;             ///< 0 outside of steps
  std::int64_t nonfinite_calls = 0;  ///< calls with an unexpected NaN or inf
  std::optional<ErrorStats> local;   ///< merged over calls

  bool operator==(const StepError&) const = default;
};

/// Returns the errors at several places of one run: a list for each of `places`, in their order. Each list ascends by
/// step. Decodes every op call of the run's segments at the positions of `places`. Keeps 120 bytes per place and step,
/// a fraction of what steps_of() needs.
std::vector<std::vector<StepError>> step_errors(const Report& report, std::int64_t run,
                                                const std::vector<SiteInStep>& places);

}  // namespace ampprof::queries
