// SPDX-License-Identifier: Apache-2.0
// Finds ranks that differ in their parameters, from the checksums recorded after updates.
#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "analysis/ranks/ranks.h"
#include "reports/queries/checksums.h"

namespace ampprof::analysis {
namespace {

using queries::ChecksumRow;
using queries::ParameterCheck;

/// A checksum and the number of ranks that have it.
struct Held {
  std::int64_t checksum = 0;
  std::int64_t ranks = 0;
};

/// The different checksums that ranks have in each check of a parameter; the checksum of the lowest rank is the first.
/// Counts ranks instead of listing them, since thousands of ranks usually hold the same checksum.
using Checks = std::map<ParameterCheck, std::vector<Held>>;

/// Adds the checksums of one rank. Call it for ranks in ascending order. `rows` are ordered by ParameterCheck, like the
/// map.
void add_rank(const std::vector<ChecksumRow>& rows, Checks& checks) {
  auto next = checks.begin();
  for (const ChecksumRow& row : rows) {
    if (next == checks.end() || next->first != row.place) next = checks.try_emplace(row.place).first;
    std::vector<Held>& held = next->second;
    const auto same = std::ranges::find(held, row.checksum, &Held::checksum);
    same == held.end() ? held.push_back({row.checksum, 1}) : void(++same->ranks);
    ++next;
  }
}

/// Returns the checksum of most ranks; on a tie, that of the lowest rank.
const Held& most_of(const std::vector<Held>& held) { return *std::ranges::max_element(held, {}, &Held::ranks); }

std::int64_t ranks_of(const std::vector<Held>& held) {
  std::int64_t ranks = 0;
  for (const Held& each : held) ranks += each.ranks;
  return ranks;
}

/// Compares the checksums of all ranks, one check of a parameter after the other, in the order of steps.
class Comparison {
 public:
  void add(const ParameterCheck& place, const std::vector<Held>& held) {
    const std::int64_t ranks = ranks_of(held);
    if (ranks < 2 || apart_.contains(place.parameter)) return;
    const bool has_majority = 2 * most_of(held).ranks > ranks;
    if (!has_majority && !is_replicated(place.parameter)) {
      agreed_in_.erase(place.parameter);
      apart_.insert(place.parameter);
      return;
    }
    if (std::exchange(last_step_, place.step) != place.step && place.step > 0) ++found_.steps;
    std::optional<std::int64_t>& agreed_in = agreed_in_[place.parameter];
    if (held.size() == 1) {
      agreed_in = place.step;
    } else {
      add_divergence(place, has_majority, agreed_in);
    }
  }

  /// Returns the check with the first divergence; empty if there is none.
  const std::optional<ParameterCheck>& first_place() const { return first_place_; }

  ParameterChecks found() const {
    ParameterChecks found = found_;
    found.compared = static_cast<std::int64_t>(agreed_in_.size());
    found.not_replicated.assign(apart_.begin(), apart_.end());
    return found;
  }

 private:
  /// Returns whether ranks hold copies of a parameter. If some parameters are sharded, a parameter that agreed only
  /// before the first update may be sharded too: shards that begin as the same constant are equal.
  bool is_replicated(const std::string& parameter) const {
    const auto agreed = agreed_in_.find(parameter);
    return agreed != agreed_in_.end() && (apart_.empty() || agreed->second != 0);
  }

  void add_divergence(const ParameterCheck& place, bool has_majority, std::optional<std::int64_t> agreed_in) {
    if (!first_place_) {
      first_place_ = place;
      ParameterDivergence& first = found_.divergence.emplace();
      first.step = place.step;
      first.parameter = place.parameter;
      first.has_majority = has_majority;
      first.agreed_in = agreed_in;
    }
    if (place.step == first_place_->step) ++found_.divergence->parameters;
  }

  ParameterChecks found_;
  std::int64_t last_step_ = -1;
  std::optional<ParameterCheck> first_place_;
  std::map<std::string, std::optional<std::int64_t>> agreed_in_;  ///< last step with equal ranks, by parameter
  std::set<std::string> apart_;                                   ///< parameters that are not replicated
};

/// Finds the ranks whose checksum in the check `place` is not `checksum`. Sets ParameterDivergence::alone and
/// Rank::divergence.
void find_alone(const queries::Report& report, const ParameterCheck& place, std::int64_t checksum,
                std::vector<Rank>& ranks, ParameterDivergence& divergence) {
  for (Rank& rank : ranks) {
    const std::vector<ChecksumRow> rows = queries::parameter_checksums(report, rank.run.run);
    const auto row = std::ranges::lower_bound(rows, place, {}, &ChecksumRow::place);
    if (row == rows.end() || row->place != place || row->checksum == checksum) continue;
    divergence.alone.push_back(*rank.run.rank);
    if (rank.divergence && rank.divergence->step <= place.step) continue;
    rank.divergence = Divergence{.what = Replicated::Parameter, .step = place.step, .parameter = place.parameter};
  }
}

}  // namespace

ParameterChecks check_parameters(const queries::Report& report, std::vector<Rank>& ranks) {
  if (std::ranges::none_of(ranks, [](const Rank& rank) { return rank.record.check_every.has_value(); })) return {};
  Checks checks;
  for (const Rank& rank : ranks) add_rank(queries::parameter_checksums(report, rank.run.run), checks);
  Comparison comparison;
  for (const auto& [place, held] : checks) comparison.add(place, held);
  ParameterChecks found = comparison.found();
  found.was_asked = true;
  if (const auto& place = comparison.first_place()) {
    find_alone(report, *place, most_of(checks.at(*place)).checksum, ranks, *found.divergence);
  }
  return found;
}

}  // namespace ampprof::analysis
