// SPDX-License-Identifier: Apache-2.0
#include "analysis/losses/impact_order.h"

#include <map>
#include <utility>

#include "reports/queries/impacts.h"

namespace ampprof::analysis {
namespace {

/// Impacts that share a rank.
struct Tie {
  const SizedImpact* first = nullptr;
  std::size_t at = 0;  ///< index of `first`
  std::int64_t place = 0;
  std::int64_t rows = 0;
};

/// Returns whether the sizes are indistinguishable. False for sizes of signed changes: a few steps of signed changes
/// show neither a difference nor a tie.
bool are_tied(const SizedImpact& larger, const SizedImpact& smaller) {
  if (larger.is_signed || smaller.is_signed) return false;
  const auto ratio = size_ratio(larger.by_step, smaller.by_step);
  return ratio && !ratio->is_surely_above_one();
}

}  // namespace

std::vector<ImpactRank> impact_ranks(std::span<const SizedImpact> impacts) {
  std::vector<ImpactRank> ranks(impacts.size());
  std::map<std::pair<std::int64_t, std::int32_t>, Tie> ties;
  for (std::size_t i = 0; i < impacts.size(); ++i) {
    const SizedImpact& impact = impacts[i];
    if (impact.size.value_or(0.0) <= 0.0) continue;
    Tie& tie = ties[{impact.run, impact.loss_id}];
    const bool joins = tie.first != nullptr && are_tied(*tie.first, impact);
    if (!joins) tie = {&impact, i, tie.place + tie.rows, 0};
    if (tie.place == 0) tie.place = 1;
    ++tie.rows;
    ranks[i] = {tie.place, joins};
    if (joins) ranks[tie.at].is_tied = true;
  }
  return ranks;
}

std::vector<ImpactRank> impact_ranks(std::span<const queries::ImpactRow* const> rows) {
  std::vector<SizedImpact> impacts;
  for (const queries::ImpactRow* row : rows)
    impacts.push_back({row->run, row->loss_id, row->size(), row->is_signed, row->by_step});
  return impact_ranks(impacts);
}

std::optional<SelfCheck> self_check(std::span<const queries::ImpactRow* const> rows) {
  SelfCheck check;
  double sum = 0.0;
  for (const queries::ImpactRow* row : rows) {
    if (row->is_signed && row->estimate()) ++check.failures;
    if (!row->self_check) continue;
    sum += *row->self_check;
    ++check.rows;
  }
  if (check.rows == 0) return std::nullopt;
  check.mean = sum / static_cast<double>(check.rows);
  return check;
}

}  // namespace ampprof::analysis
