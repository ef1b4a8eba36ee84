// SPDX-License-Identifier: Apache-2.0
#include "views/losses/impact_sentences.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/losses/impact_order.h"
#include "reports/queries/impacts.h"
#include "reports/text/numbers.h"

namespace ampprof::views {

std::string impact_order(std::span<const queries::ImpactRow* const> rows, bool has_sums) {
  if (!analysis::self_check(rows)) return "";
  const bool is_of_several = std::ranges::any_of(rows, [&](const queries::ImpactRow* row) {
    return row->run != rows.front()->run || row->loss_id != rows.front()->loss_id;
  });
  return fmt::format(
      "{} by E, the expected (RMS) loss impact per step, the largest first{}. \"=\" marks ranks that cannot be told "
      "apart.",
      has_sums ? "Sums come first; other rows are sorted" : "Sorted",
      is_of_several ? ", all runs and losses together; ranks count within a run and loss" : "");
}

std::vector<Sentence> impact_reliability(std::span<const queries::ImpactRow* const> rows) {
  const auto check = analysis::self_check(rows);
  if (!check) return {};
  std::vector<Sentence> said{{fmt::format(
      "Consistency check: measured / expected variance = {} over {} (near 1 if rounding errors are independent).",
      text::number(check->mean), text::counted(check->rows, "row"))}};
  if (check->failures > 0) {
    said.push_back(
        {fmt::format("Rounding errors of {} are not independent; {} by the RMS of the measured changes instead.",
                     text::counted(check->failures, "row"),
                     check->failures == 1 ? "this row ranks" : "these rows rank"),
         text::Tone::Attention});
  }
  return said;
}

}  // namespace ampprof::views
