// SPDX-License-Identifier: Apache-2.0
#include "profiler/overflow/nonfinite_trace.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ampprof::profiler {
namespace {

constexpr double kLargestHalf = 65504.0;
constexpr std::size_t kLongestChain = 64;
constexpr std::size_t kMostOpen = 256;      ///< open events per step
constexpr std::size_t kMostClosed = 4096;   ///< finished events that later values may descend from
constexpr std::int64_t kMostOfASite = 100;  ///< events per call site that are recorded one by one

void add_site(std::vector<std::int64_t>& chain, std::int64_t site) {
  if (chain.size() < kLongestChain && std::ranges::find(chain, site) == chain.end()) chain.push_back(site);
}

void raise(NonfiniteEvent& event, NonfiniteOutcome outcome, const std::string& name, std::int64_t call_site) {
  const bool names_it = outcome == event.outcome && event.reached.empty();
  if (outcome < event.outcome || (outcome == event.outcome && !names_it)) return;
  if (outcome > event.outcome) event.outcome_site = call_site;
  event.outcome = outcome;
  event.reached = name;
}

}  // namespace

NonfiniteTrace::Id NonfiniteTrace::resolved(Id id) const {
  const auto merged = merged_.find(id);
  return merged == merged_.end() ? id : merged->second;
}

NonfiniteTrace::Open* NonfiniteTrace::open(Id id) {
  const auto found = open_.find(resolved(id));
  return found == open_.end() ? nullptr : &found->second;
}

const NonfiniteTrace::Origin* NonfiniteTrace::origin_of(Id id) const {
  if (const auto found = open_.find(resolved(id)); found != open_.end()) return &found->second.origin;
  const auto closed = closed_.find(id);
  return closed == closed_.end() ? nullptr : &closed->second.origin;
}

NonfiniteTrace::Id NonfiniteTrace::add(const Origin& origin) {
  Open begun{.event = {}, .origin = origin, .last_phase = origin.phase};
  begun.event.segment = origin.held != 0 ? origin.held : origin.segment;
  begun.event.first_site = origin.call_site;
  begun.event.micro_batch = origin.micro_batch;
  begun.event.cause = origin.cause;
  begun.event.value = origin.reference_amax;
  begun.event.fp32_holds = origin.fp32_holds;
  if (origin.call_site != 0) begun.event.chain.push_back(origin.call_site);
  open_.emplace(++last_id_, std::move(begun));
  return last_id_;
}

NonfiniteTrace::Id NonfiniteTrace::found(const Origin& origin) {
  const std::lock_guard lock(mutex_);
  for (auto& [id, known] : open_) {
    const bool is_same = known.origin.call_site == origin.call_site && known.origin.segment == origin.segment;
    if (!is_same) continue;
    ++known.event.calls;
    known.is_alive = true;
    return id;
  }
  if (open_.size() < kMostOpen) return add(origin);
  ++left_out_;
  return kOutside;
}

void NonfiniteTrace::merge(Id from, Id into) {
  auto node = open_.extract(from);
  Open& later = node.mapped();
  Open& first = open_.at(into);
  for (const std::int64_t site : later.event.chain) add_site(first.event.chain, site);
  raise(first.event, later.event.outcome, later.event.reached, later.event.outcome_site);
  first.gradients.merge(later.gradients);
  first.is_alive = first.is_alive || later.is_alive;
  for (auto& [id, target] : merged_) {
    if (target == from) target = into;
  }
  merged_[from] = into;
}

NonfiniteTrace::Id NonfiniteTrace::joined(std::span<const Id> ids) {
  const std::lock_guard lock(mutex_);
  std::set<Id> of_step;
  Id earlier = kOutside;
  bool is_kept = false;
  for (const Id id : ids) {
    if (open(id) != nullptr) of_step.insert(resolved(id));
    const auto closed = closed_.find(id);
    if (closed == closed_.end()) continue;
    if (earlier == kOutside || (closed->second.is_kept && !is_kept)) earlier = id;
    is_kept = is_kept || closed->second.is_kept;
  }
  if (of_step.empty() || is_kept) return earlier;
  const Id first = *of_step.begin();
  for (auto later = std::next(of_step.begin()); later != of_step.end(); ++later) merge(*later, first);
  return first;
}

void NonfiniteTrace::spread(Id id, std::int64_t call_site, Phase phase) {
  const std::lock_guard lock(mutex_);
  Open* known = open(id);
  if (known == nullptr) return;
  // Loss scalers and optimizers read all gradients. Their calls belong to the chain only if the event began in the
  // optimizer phase.
  if (phase != Phase::Optimizer || known->origin.phase == phase) add_site(known->event.chain, call_site);
  known->last_phase = phase;
  known->is_alive = true;
}

void NonfiniteTrace::made_finite(Id id, NonfiniteOutcome outcome, std::int64_t call_site, Memory overwritten) {
  const std::lock_guard lock(mutex_);
  Open* known = open(id);
  if (known == nullptr) return;
  known->is_alive = false;
  // A gradient no longer counts as the outcome once all its values were overwritten.
  const bool was_gradient = known->gradients.erase(overwritten) > 0;
  if (was_gradient && known->gradients.empty() && known->event.outcome == NonfiniteOutcome::Gradient) {
    const std::string name = std::exchange(known->event.reached, {});
    known->event.outcome = NonfiniteOutcome::Nothing;
    raise(known->event, outcome, name, call_site);
    return;
  }
  raise(known->event, outcome, "", call_site);
}

void NonfiniteTrace::reached(Id id, NonfiniteOutcome outcome, const std::string& name, std::int64_t call_site) {
  const std::lock_guard lock(mutex_);
  if (Open* known = open(id)) raise(known->event, outcome, name, call_site);
}

void NonfiniteTrace::reached_gradient(Id id, const std::string& name, std::int64_t call_site, Memory gradient) {
  const std::lock_guard lock(mutex_);
  Open* known = open(id);
  if (known == nullptr) return;
  known->gradients.insert(gradient);
  raise(known->event, NonfiniteOutcome::Gradient, name, call_site);
}

void NonfiniteTrace::compared_with_shadow(std::int64_t call_site, std::int64_t segment, bool holds) {
  const std::lock_guard lock(mutex_);
  for (auto& [id, known] : open_) {
    if (known.origin.call_site == call_site && known.origin.segment == segment) known.event.shadow_holds = holds;
  }
}

void NonfiniteTrace::decided(Id id, const Decision& decision, std::vector<EventParameter> parameters,
                             std::optional<SafeScale> safe_scale) {
  const std::lock_guard lock(mutex_);
  Open* known = open(id);
  if (known == nullptr || known->event.by_scaler) {
    const Origin* earlier = origin_of(id);
    Origin origin = earlier == nullptr ? Origin{} : *earlier;
    origin.segment = decision.segment;
    known = &open_.at(add(origin));
  }
  NonfiniteEvent& event = known->event;
  event.segment = decision.segment;
  event.by_scaler = true;
  event.loss_id = decision.loss_id;
  event.scale_before = decision.scale_before;
  event.scale_after = decision.scale_after;
  event.skipped = decision.skipped;
  event.parameters = std::move(parameters);
  if (safe_scale) {
    event.largest_safe_scale = safe_scale->value;
    event.largest_safe_scale_is_bound = safe_scale->is_bound;
  }
  const std::string name = event.parameters.empty() ? event.reached : event.parameters.front().name;
  if (!decision.skipped) return raise(event, NonfiniteOutcome::Gradient, name, 0);
  raise(event, NonfiniteOutcome::Skipped, name, 0);
  for (auto& [other, each] : open_) {
    if (each.event.outcome != NonfiniteOutcome::Gradient) continue;
    raise(each.event, NonfiniteOutcome::Skipped, each.event.reached, 0);
  }
}

NonfiniteTrace::Id NonfiniteTrace::likely_id() const {
  const std::lock_guard lock(mutex_);
  for (const auto& [id, known] : open_) {
    if (known.event.outcome == NonfiniteOutcome::Gradient) return id;
  }
  for (const auto& [id, known] : open_) {
    if (known.is_alive && !known.event.by_scaler) return id;
  }
  return kOutside;
}

void NonfiniteTrace::count(NonfiniteEvent event, std::vector<NonfiniteEvent>& settled) {
  OfSite& site = sites_[event.first_site];
  if (event.by_scaler || event.first_site == 0 || ++site.events <= kMostOfASite) {
    settled.push_back(std::move(event));
  } else if (!site.rest) {
    site.rest = std::move(event);
  } else {
    site.rest->steps += 1;
    site.rest->calls += event.calls;
    raise(*site.rest, event.outcome, event.reached, event.outcome_site);
  }
}

void NonfiniteTrace::close(Id last, std::vector<NonfiniteEvent>& settled) {
  for (const auto& [from, into] : merged_) {
    if (const auto first = open_.find(into); first != open_.end() && into <= last) {
      closed_[from] = {first->second.origin, false};
    }
  }
  std::erase_if(merged_, [&](const auto& merged) { return merged.second <= last; });
  for (auto& [id, known] : open_) {
    if (id > last) break;
    if (known.is_alive && known.last_phase == Phase::Inference) raise(known.event, NonfiniteOutcome::Result, "", 0);
    const bool is_kept =
        known.event.outcome == NonfiniteOutcome::Weight || known.event.outcome == NonfiniteOutcome::Buffer;
    closed_[id] = {known.origin, is_kept};
    count(std::move(known.event), settled);
  }
  open_.erase(open_.begin(), open_.upper_bound(last));
  while (closed_.size() > kMostClosed) closed_.erase(closed_.begin());
}

void NonfiniteTrace::updated() {
  const std::lock_guard lock(mutex_);
  last_of_step_ = last_id_;
}

std::vector<NonfiniteEvent> NonfiniteTrace::settle(std::int64_t step) {
  const std::lock_guard lock(mutex_);
  std::vector<NonfiniteEvent> settled;
  const std::optional<std::int64_t> before = std::exchange(step_, step);
  if (before && *before != step) close(std::exchange(last_of_step_, std::nullopt).value_or(last_id_), settled);
  return settled;
}

std::vector<NonfiniteEvent> NonfiniteTrace::settle_all() {
  const std::lock_guard lock(mutex_);
  std::vector<NonfiniteEvent> settled;
  close(last_id_, settled);
  for (auto& [id, site] : sites_) {
    if (site.rest) settled.push_back(*std::exchange(site.rest, std::nullopt));
  }
  return settled;
}

std::int64_t NonfiniteTrace::take_left_out() {
  const std::lock_guard lock(mutex_);
  return std::exchange(left_out_, 0);
}

std::optional<NonfiniteTrace::SafeScale> NonfiniteTrace::largest_safe_scale(Id id) const {
  const std::lock_guard lock(mutex_);
  const Origin* origin = origin_of(id);
  if (origin == nullptr || !origin->scale) return std::nullopt;
  if (const double largest = gradients.largest(); largest > 0) return SafeScale{kLargestHalf / largest, false};
  const bool is_known = origin->reference_amax && std::isfinite(*origin->reference_amax);
  if (!is_known || *origin->reference_amax <= 0) return std::nullopt;
  return SafeScale{*origin->scale * kLargestHalf / *origin->reference_amax, true};
}

std::int64_t NonfiniteTrace::first_gradient(Id id) const {
  const std::lock_guard lock(mutex_);
  const Origin* origin = origin_of(id);
  return origin == nullptr ? 0 : origin->gradient;
}

}  // namespace ampprof::profiler
