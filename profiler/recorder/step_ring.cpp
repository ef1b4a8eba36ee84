// SPDX-License-Identifier: Apache-2.0
#include "profiler/recorder/step_ring.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <type_traits>
#include <vector>

#include "profiler/recorder/batch_lists.h"

namespace ampprof::profiler {
namespace {

/// What a step has however much of it is recorded. It grows by steps, not by calls.
template <typename Record>
constexpr bool kPasses =
    std::is_same_v<Record, LossValue> || std::is_same_v<Record, ScaleUpdate> || std::is_same_v<Record, NonfiniteEvent>;

/// Calls `visit` with each list of details that have a segment, and with the same list of the other batch.
template <typename Visit>
void each_list_of_details(Batch& batch, Batch& other, Visit visit) {
  each_list(batch, [&]<typename Record>(std::vector<Record>& list) {
    if constexpr (requires(Record record) { record.segment; } && !kPasses<Record>) {
      each_list(other, [&]<typename Other>(std::vector<Other>& of_other) {
        if constexpr (std::is_same_v<Record, Other>) visit(list, of_other);
      });
    }
  });
}

template <typename Record>
void move_to(std::vector<Record>& from, std::vector<Record>& to) {
  to.insert(to.end(), std::move_iterator(from.begin()), std::move_iterator(from.end()));
  from.clear();
}

}  // namespace

void StepRing::take(Batch& batch, bool has_happened) {
  for (const Segment& segment : batch.segments) newest_step_ = std::max(newest_step_, segment.step);
  if (has_happened) passes_until_ = newest_step_ + 2;
  if (newest_step_ < passes_until_) return give_back(batch);
  keep(batch);
  let_go_of_steps(newest_step_ - steps_, batch);
}

void StepRing::keep(Batch& batch) {
  each_list_of_details(batch, kept_, [](auto& list, auto& kept) { move_to(list, kept); });
  for (Segment& segment : batch.segments) {
    if (!segment.recorded) continue;
    std::erase_if(kept_.segments, [&](const Segment& earlier) { return earlier.id == segment.id; });
    kept_.segments.push_back(segment);
    segment.recorded = false;  // as long as it is not written
  }
}

void StepRing::let_go_of_steps(std::int64_t last, Batch& batch) {
  std::int64_t first = std::numeric_limits<std::int64_t>::max();  // segment that stays
  const auto gone = std::erase_if(kept_.segments, [&](const Segment& segment) {
    if (segment.step > last) first = std::min(first, segment.id);
    return segment.step <= last;
  });
  if (gone == 0) return;
  each_list_of_details(kept_, batch, [&](auto& list, auto&) {
    std::erase_if(list, [&](const auto& record) { return record.segment < first; });
  });
  batch.missing.push_back({.what = "op calls of steps",
                           .count = static_cast<std::int64_t>(gone),
                           .cause = "--ring kept them in memory, and nothing happened",
                           .remedy = "ampprof ctl REPORT dump writes the latest steps while the program runs"});
}

void StepRing::give_back(Batch& batch) {
  each_list_of_details(kept_, batch, [](auto& kept, auto& list) {
    move_to(list, kept);
    list.swap(kept);
  });
  // Rows of the batch are newer than those that were kept of the same segment.
  move_to(batch.segments, kept_.segments);
  batch.segments.swap(kept_.segments);
}

bool tells_of_nonfinite(const Batch& batch) {
  return !batch.events.empty() ||
         std::ranges::any_of(batch.losses, [](const LossValue& loss) { return !std::isfinite(loss.value); }) ||
         std::ranges::any_of(batch.scale_updates, &ScaleUpdate::overflow);
}

}  // namespace ampprof::profiler
