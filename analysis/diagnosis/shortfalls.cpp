// SPDX-License-Identifier: Apache-2.0
#include "analysis/diagnosis/shortfalls.h"

#include <optional>

#include "amp_core/levels/level.h"
#include "reports/queries/runs.h"

namespace ampprof::analysis {
namespace {

using Kind = Shortfall::Kind;

std::optional<Shortfall> ending_of(const queries::RunRow& run) {
  if (run.complete && run.exit_code == 0) return std::nullopt;
  if (!run.exit_code) return Shortfall{run.run, run.level, Kind::NotEnded};
  if (*run.exit_code != 0) {
    return Shortfall{.run = run.run, .level = run.level, .kind = Kind::ProgramFailed, .exit_code = *run.exit_code};
  }
  if (run.op_calls == 0) return std::nullopt;  // nothing was recorded; the table `missing` says so
  return Shortfall{run.run, run.level, Kind::RecorderFailed};
}

}  // namespace

bool inserted_no_cast(const queries::RunRow& run) {
  return amp::patches_functions(run.level) && run.op_calls > 0 && run.casts == 0;
}

std::vector<Shortfall> shortfalls_of(const std::vector<queries::RunRow>& runs) {
  std::vector<Shortfall> all;
  for (const queries::RunRow& run : runs) {
    if (const auto ending = ending_of(run)) all.push_back(*ending);
    const std::int64_t left_out = run.steps - run.recorded_steps;
    if (left_out > 0) all.push_back({run.run, run.level, Kind::StepsLeftOut, left_out, run.steps});
    if (inserted_no_cast(run)) all.push_back({run.run, run.level, Kind::NoCasts});
    if (run.other_shapes > 0) all.push_back({run.run, run.level, Kind::ShapesLeftOut, run.other_shapes});
  }
  return all;
}

}  // namespace ampprof::analysis
