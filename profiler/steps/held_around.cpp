// SPDX-License-Identifier: Apache-2.0
#include "profiler/steps/held_around.h"

#include <algorithm>
#include <iterator>

namespace ampprof::profiler {

/// Assigns the held calls to steps, and clears `held`.
void HeldAround::place(BetweenSteps& held, const Segment& before, const Segment& after) {
  if (held.is_empty()) return;
  auto [segments, calls] = std::exchange(held, {}).decide(before, after, numbers_.segments);
  std::ranges::move(segments, std::back_inserter(placed_.segments));
  std::ranges::move(calls, std::back_inserter(placed_.calls));
}

std::int64_t HeldAround::hold(SegmentInProgress& current, std::int64_t now_ns, const BetweenSteps::Call& call) {
  if (numbers_.held == HeldCalls::kLastNumber) return 0;
  if (after_.is_full()) {                       // a long validation
    placed_.segments.push_back(current.get());  // must precede the rows of new segments, whose ids are larger
    place(after_, current.get(), {});
  }
  current.close();
  after_.hold(++numbers_.held, {.now_ns = now_ns, .overhead_ns = current.overhead_ns()}, call);
  return numbers_.held;
}

void HeldAround::end_after(const SegmentInProgress& segment, std::int64_t now_ns) {
  after_.end({.now_ns = now_ns, .overhead_ns = segment.overhead_ns()});
}

std::vector<Segment> HeldAround::segment_ends(const SegmentInProgress& ended, std::int64_t now_ns) {
  const std::size_t placed_before = placed_.segments.size();
  place(before_, segment_before_, ended.get());
  end_after(ended, now_ns);
  before_ = std::exchange(after_, {});
  segment_before_ = ended.get();
  is_open_ = false;
  std::vector<Segment> of_step(placed_.segments.begin() + static_cast<std::ptrdiff_t>(placed_before),
                               placed_.segments.end());
  std::erase_if(of_step, [](const Segment& segment) { return segment.step == 0; });
  return of_step;
}

void HeldAround::program_ends(const SegmentInProgress& current, std::int64_t now_ns) {
  if (before_.is_empty() && after_.is_empty()) return;
  placed_.segments.push_back(current.get());
  place(before_, segment_before_, current.get());
  end_after(current, now_ns);
  place(after_, current.get(), {});
}

}  // namespace ampprof::profiler
