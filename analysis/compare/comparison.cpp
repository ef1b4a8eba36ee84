// SPDX-License-Identifier: Apache-2.0
#include "analysis/compare/comparison.h"

#include <algorithm>
#include <utility>

#include "analysis/compare/pairing.h"

namespace ampprof::analysis {

SideOf side_of(const std::string& report, const std::vector<queries::RunRow>& all,
               const std::vector<queries::RunRow>& chosen, const std::string& target_gpu,
               const std::function<const RunRecords&(std::int64_t run)>& records_of) {
  SideOf side{.report = report, .repeats = {.runs = chosen}, .targets = Targets(all, target_gpu)};
  for (const queries::RunRow& run : chosen) {
    const auto& [ops, events] = records_of(run.run);
    side.repeats.ops.insert(side.repeats.ops.end(), ops.begin(), ops.end());
    side.repeats.events.insert(side.repeats.events.end(), events.begin(), events.end());
  }
  side.targets.learn_from(side.repeats.ops);
  return side;
}

OwnedComparison::OwnedComparison(SideOf a, SideOf b, compare::Options options)
    : a_(std::move(a)), b_(std::move(b)), alpha_(options.confidence.alpha) {
  options.confidence.deterministic =
      std::ranges::all_of(a_.repeats.runs, is_deterministic) && std::ranges::all_of(b_.repeats.runs, is_deterministic);
  difference_ = compare::compare_runs(a_.repeats, b_.repeats, options);
}

}  // namespace ampprof::analysis
