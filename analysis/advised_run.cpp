// SPDX-License-Identifier: Apache-2.0
#include "analysis/advised_run.h"

#include <algorithm>

#include "amp_core/levels/level.h"

namespace ampprof::analysis {

std::optional<queries::RunRow> run_to_advise(const std::vector<queries::RunRow>& runs) {
  const auto with_casts = std::ranges::find_if(runs, amp::patches_functions, &queries::RunRow::level);
  if (with_casts != runs.end()) return *with_casts;
  const auto judged = std::ranges::find_if(runs, [](const queries::RunRow& run) { return !run.what_if.empty(); });
  return judged == runs.end() ? std::nullopt : std::optional(*judged);
}

advice::Evidence evidence_of(const queries::Report& report, const queries::RunRow& run,
                             const std::vector<queries::RunRow>& runs) {
  advice::Evidence evidence{run,
                            queries::ops(report, run.run),
                            queries::impacts(report, run.run),
                            queries::events(report, run.run),
                            queries::scales(report, run.run),
                            {}};
  const auto plain = std::ranges::find_if(runs, [&](const queries::RunRow& other) {
    return amp::is_fp32_level(other.level) && other.run != run.run && other.program == run.program;
  });
  if (plain != runs.end()) evidence.plain = queries::ops(report, plain->run);
  return evidence;
}

}  // namespace ampprof::analysis
