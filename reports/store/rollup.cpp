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

/// Resets a total, but keeps the memory of its vectors.
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

Rollup::OpenSegment& Rollup::open(std::int64_t segment) {
  const auto [place, is_new] = open_.try_emplace(segment);
  if (is_new && !spare_.empty()) {
    place->second = std::move(spare_.back());
    spare_.pop_back();
  }
  if (is_new) place->second.first_chunk = last_chunk_;
  return place->second;
}

void Rollup::begin_chunk(std::int64_t id, std::int64_t segment) {
  last_chunk_ = id;
  if (is_finished(segment)) {
    finished_up_to_ = id;
  } else {
    open(segment).last_chunk = id;
  }
}

void Rollup::begin_without_chunk(std::int64_t segment) {
  if (is_finished(segment) || open_.contains(segment)) return;
  open(segment).first_chunk = last_chunk_ + 1;
}

OpTotal& Rollup::total_of(std::int64_t segment, std::int64_t site) {
  if (is_finished(segment)) {
    const std::int32_t position = position_of(segment);
    BySite& totals = totals_[position];
    OpTotal& total = totals.at(site);
    if (totals.mark(site)) changed_.emplace_back(site, position);
    return total;
  }
  OpenSegment& open = open_.at(segment);
  OpTotal& total = open.totals.at(site);
  if (open.totals.mark(site)) open.sites.push_back(site);
  return total;
}

std::int32_t Rollup::position_of(std::int64_t segment) const {
  if (positions_.empty()) return 0;
  const auto known = positions_.find(segment);
  return known == positions_.end() ? 0 : known->second;
}

void Rollup::segment_seen(const Segment& segment) {
  if (segment.position != 0) {
    positions_[segment.id] = segment.position;
  } else if (!positions_.empty()) {
    positions_.erase(segment.id);
  }
  newest_segment_ = std::max(newest_segment_, segment.id);
  close_before(newest_segment_);
}

void Rollup::close(std::int64_t segment, OpenSegment& open) {
  const std::int32_t position = position_of(segment);
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

void Rollup::close_before(std::int64_t segment) {
  const auto end = open_.lower_bound(segment);
  for (auto place = open_.begin(); place != end; ++place) close(place->first, place->second);
  open_.erase(open_.begin(), end);
}

void Rollup::finish_all() { close_before(std::numeric_limits<std::int64_t>::max()); }

std::int64_t Rollup::complete_up_to() const {
  std::int64_t complete = last_chunk_;
  for (const auto& [segment, open] : open_) complete = std::min(complete, open.first_chunk - 1);
  return complete;
}

std::vector<SiteInStep> Rollup::take_changed() {
  for (const auto& [site, position] : changed_) totals_[position].unmark(site);
  return std::exchange(changed_, {});
}

}  // namespace ampprof::store
