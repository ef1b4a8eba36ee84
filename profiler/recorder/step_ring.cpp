// SPDX-License-Identifier: Apache-2.0
#include "profiler/recorder/step_ring.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "profiler/recorder/batch_lists.h"

namespace ampprof::profiler {
namespace {

/// Tells record types that are written even if the calls of their step are dropped. The number of such records grows
/// with steps, not with calls.
template <typename Record>
constexpr bool kPasses =
    std::is_same_v<Record, LossValue> || std::is_same_v<Record, ScaleUpdate> || std::is_same_v<Record, NonfiniteEvent>;

/// Calls `visit` with each list of details, together with the same list of `other`.
template <typename Visit>
void each_list_of_details(Batch& batch, Batch& other, Visit visit) {
  each_list_with_segments(batch, other, [&]<typename Record>(std::vector<Record>& list, std::vector<Record>& of_other) {
    if constexpr (!kPasses<Record>) visit(list, of_other);
  });
}

template <typename Record>
void move_to(std::vector<Record>& from, std::vector<Record>& to) {
  to.insert(to.end(), std::move_iterator(from.begin()), std::move_iterator(from.end()));
  from.clear();
}

}  // namespace

void StepRing::take(Batch& batch, bool has_happened) {
  note_steps(batch);
  if (has_happened) {
    const std::int64_t newest = step_of_.empty() ? 0 : step_of_.rbegin()->second;
    passes_until_ = newest + 2;
    return give_back(batch);
  }
  keep(batch);
  const bool is_too_much = kept_.calls.size() + kept_.plain_calls.size() > kMostCalls;
  let_go_before(is_too_much ? std::numeric_limits<std::int64_t>::max() : first_to_keep(), batch);
}

void StepRing::drop_kept(Batch& batch) { let_go_before(std::numeric_limits<std::int64_t>::max(), batch); }

void StepRing::note_steps(const Batch& batch) {
  constexpr std::size_t kMostKnown = 1 << 16;
  for (const Segment& segment : batch.segments) step_of_[segment.id] = segment.step;
  while (step_of_.size() > kMostKnown) step_of_.erase(step_of_.begin());
}

bool StepRing::passes(std::int64_t segment) const {
  const auto found = step_of_.find(segment);
  return found != step_of_.end() && found->second < passes_until_;
}

void StepRing::keep(Batch& batch) {
  each_list_of_details(batch, kept_, [&](auto& list, auto& kept) {
    const auto passing =
        std::stable_partition(list.begin(), list.end(), [&](const auto& record) { return passes(record.segment); });
    kept.insert(kept.end(), std::move_iterator(passing), std::move_iterator(list.end()));
    list.erase(passing, list.end());
  });
  for (Segment& segment : batch.segments) {
    if (!segment.recorded || passes(segment.id)) continue;
    std::erase_if(kept_.segments, [&](const Segment& earlier) { return earlier.id == segment.id; });
    if (segment.id >= first_) kept_.segments.push_back(segment);
    segment.recorded = false;  // until the segment's calls are written
  }
}

/// Returns the first segment of the latest `steps_` steps. Compares segment ids, since step numbers may restart.
std::int64_t StepRing::first_to_keep() const {
  std::int64_t first = std::numeric_limits<std::int64_t>::max();
  std::int64_t steps = 0, step = -1;
  for (auto known = step_of_.rbegin(); known != step_of_.rend(); ++known) {
    if (std::exchange(step, known->second) != known->second) ++steps;
    if (steps > steps_) break;
    first = known->first;
  }
  return first;
}

void StepRing::let_go_before(std::int64_t segment, Batch& batch) {
  const auto gone = std::erase_if(kept_.segments, [&](const Segment& each) { return each.id < segment; });
  if (segment != std::numeric_limits<std::int64_t>::max()) first_ = segment;
  each_list_of_details(kept_, batch, [&](auto& list, auto&) {
    std::erase_if(list, [&](const auto& record) { return record.segment < segment; });
  });
  if (gone == 0) return;
  batch.missing.push_back({.what = "op calls of earlier steps",
                           .count = static_cast<std::int64_t>(gone),
                           .cause = "--ring kept them in memory, and no event caused them to be written",
                           .remedy = "ampprof ctl REPORT dump writes the latest steps while the program runs"});
}

void StepRing::give_back(Batch& batch) {
  each_list_of_details(kept_, batch, [](auto& kept, auto& list) {
    move_to(list, kept);
    list.swap(kept);
  });
  // Rows of the batch are newer than kept rows of the same segment.
  move_to(batch.segments, kept_.segments);
  batch.segments.swap(kept_.segments);
}

bool has_nonfinite_event(const Batch& batch) {
  return !batch.events.empty() ||
         std::ranges::any_of(batch.losses, [](const LossValue& loss) { return !std::isfinite(loss.value); }) ||
         std::ranges::any_of(batch.scale_updates, &ScaleUpdate::overflow);
}

}  // namespace ampprof::profiler
