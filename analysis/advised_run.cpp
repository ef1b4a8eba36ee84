// SPDX-License-Identifier: Apache-2.0
#include "analysis/advised_run.h"

#include <algorithm>

namespace ampprof::analysis {

std::optional<RunRow> run_to_advise(const std::vector<RunRow>& runs) {
  const auto at_o1 = std::ranges::find(runs, "O1", &RunRow::level);
  if (at_o1 != runs.end()) return *at_o1;
  const auto judged = std::ranges::find_if(runs, [](const RunRow& run) { return !run.what_if.empty(); });
  return judged == runs.end() ? std::nullopt : std::optional(*judged);
}

Evidence evidence_of(const Report& report, const RunRow& run, const std::vector<RunRow>& runs) {
  Evidence evidence{run, report.ops(run.run), report.impacts(run.run), report.events(run.run), report.scales(run.run),
                    {}};
  const auto plain = std::ranges::find_if(runs, [&](const RunRow& other) {
    return other.level == "O0" && other.run != run.run && other.program == run.program;
  });
  if (plain != runs.end()) evidence.plain = report.ops(plain->run);
  return evidence;
}

}  // namespace ampprof::analysis
