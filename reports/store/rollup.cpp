// SPDX-License-Identifier: Apache-2.0
#include "reports/store/rollup.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "reports/store/report_error.h"

namespace ampprof::store {
namespace {

constexpr std::int64_t kMostSites = 1 << 22;

/// Empties a total and keeps its memory.
void clear(OpTotal& total) {
  auto variants = std::move(total.variants);
  auto casts = std::move(total.casts);
  auto activities = std::move(total.activities);
  variants.clear();
  casts.clear();
  activities.clear();
  total = {};
  total.variants = std::move(variants);
  total.casts = std::move(casts);
  total.activities = std::move(activities);
}

}  // namespace

Rollup::Rollup(const OpTotals& totals, std::int64_t last_chunk) : last_chunk_(last_chunk), finished_up_to_(last_chunk) {
  for (const auto& [place, total] : totals) {
    const auto& [site, position] = place;
    totals_[position].at(site) = total;
    if (totals_[position].mark(site)) changed_.push_back(place);
  }
}

OpTotal& Rollup::BySite::at(std::int64_t site) {
  if (site < 0 || site > kMostSites) throw ReportError("a call site has the impossible id " + std::to_string(site));
  const auto index = static_cast<std::size_t>(site);
  if (index >= totals_.size()) totals_.resize(index + 1);
  return totals_[index];
}

bool Rollup::BySite::mark(std::int64_t site) {
  const auto index = static_cast<std::size_t>(site);
  if (index >= marked_.size()) marked_.resize(index + 1);
  const bool was_marked = marked_[index];
  marked_[index] = true;
  return !was_marked;
}

Rollup::OpenSubstep& Rollup::open(std::int64_t substep) {
  const auto [place, is_new] = open_.try_emplace(substep);
  if (is_new && !spare_.empty()) {
    place->second = std::move(spare_.back());
    spare_.pop_back();
  }
  if (is_new) place->second.first_chunk = last_chunk_;
  return place->second;
}

void Rollup::begin_chunk(std::int64_t id, std::int64_t substep) {
  last_chunk_ = id;
  if (is_finished(substep)) {
    finished_up_to_ = id;
  } else {
    open(substep).last_chunk = id;
  }
}

void Rollup::begin_without_chunk(std::int64_t substep) {
  if (is_finished(substep) || open_.contains(substep)) return;
  open(substep).first_chunk = last_chunk_ + 1;
}

OpTotal& Rollup::total_of(std::int64_t substep, std::int64_t site) {
  if (is_finished(substep)) {
    const std::int32_t position = position_of(substep);
    BySite& totals = totals_[position];
    OpTotal& total = totals.at(site);
    if (totals.mark(site)) changed_.emplace_back(site, position);
    return total;
  }
  OpenSubstep& open = open_.at(substep);
  OpTotal& total = open.totals.at(site);
  if (open.totals.mark(site)) open.sites.push_back(site);
  return total;
}

std::int32_t Rollup::position_of(std::int64_t substep) const {
  if (positions_.empty()) return 0;
  const auto known = positions_.find(substep);
  return known == positions_.end() ? 0 : known->second;
}

void Rollup::substep_seen(const Substep& substep) {
  if (substep.position != 0) {
    positions_[substep.id] = substep.position;
  } else if (!positions_.empty()) {
    positions_.erase(substep.id);
  }
  newest_substep_ = std::max(newest_substep_, substep.id);
  close_before(newest_substep_);
}

void Rollup::close(std::int64_t substep, OpenSubstep& open) {
  const std::int32_t position = position_of(substep);
  BySite& totals = totals_[position];
  for (const std::int64_t site : open.sites) {
    OpTotal& part = open.totals.at(site);
    totals.at(site).merge(part);
    if (totals.mark(site)) changed_.emplace_back(site, position);
    clear(part);
    open.totals.unmark(site);
  }
  open.sites.clear();
  finished_up_to_ = std::max(finished_up_to_, open.last_chunk);
  spare_.push_back(std::move(open));
}

void Rollup::close_before(std::int64_t substep) {
  const auto end = open_.lower_bound(substep);
  for (auto place = open_.begin(); place != end; ++place) close(place->first, place->second);
  open_.erase(open_.begin(), end);
}

void Rollup::finish_all() { close_before(std::numeric_limits<std::int64_t>::max()); }

std::int64_t Rollup::complete_up_to() const {
  std::int64_t complete = last_chunk_;
  for (const auto& [substep, open] : open_) complete = std::min(complete, open.first_chunk - 1);
  return complete;
}

std::vector<SiteInStep> Rollup::take_changed() {
  for (const auto& [site, position] : changed_) totals_[position].unmark(site);
  return std::exchange(changed_, {});
}

}  // namespace ampprof::store
