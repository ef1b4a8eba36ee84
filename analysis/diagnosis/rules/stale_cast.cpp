// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "analysis/diagnosis/diagnosis_rule.h"
#include "analysis/diagnosis/rules/remedies.h"
#include "analysis/diagnosis/symptoms.h"
#include "reports/queries/stale_casts.h"
#include "reports/text/numbers.h"

namespace ampprof::analysis {
namespace {

std::vector<Finding> find(const Symptoms& symptoms) {
  if (symptoms.stale_casts.empty()) return {};
  std::vector<std::string> names;
  std::int64_t hits = 0;
  std::int64_t steps_old = 0;
  for (const queries::StaleCastRow* row : symptoms.stale_casts) {
    names.push_back(row->total.parameter);
    hits += row->hits;
    steps_old = std::max(steps_old, row->steps_old);
  }
  const queries::StaleCastRow& worst = **std::ranges::max_element(
      symptoms.stale_casts, {}, [](const queries::StaleCastRow* row) { return row->total.relative_change(); });
  const std::string age =
      steps_old == 0 ? "in the same step" : fmt::format("up to {} earlier", text::counted(steps_old, "step"));
  return {{.culprit = culprit_of(worst),
           .mechanism =
               fmt::format("Calls compute with stale casts: torch.autocast keeps copies of {} that it made {}, before "
                           "the parameters were written.",
                           some_of(names), age),
           .consequence = fmt::format("{} used old values, off by up to {}.", text::counted(hits, "call"),
                                      text::percent(worst.total.relative_change())),
           .cost = std::min(1.0, worst.total.relative_change()),
           .confidence = Confidence::Certain,
           .remedies = {{.text = "End the autocast block before weights change: one block for each forward pass.",
                         .word = "no_cast_cache"},
                        {.text = "Clear the cache of torch.autocast after weights are written.",
                         .code = "torch.clear_autocast_cache()",
                         .word = "no_cast_cache"}}}};
}

}  // namespace

DiagnosisRule stale_cast() { return {"stale_cast", "Calls compute with old casts of parameters.", find}; }

}  // namespace ampprof::analysis
