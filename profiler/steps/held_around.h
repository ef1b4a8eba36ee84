// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "profiler/steps/between_steps.h"
#include "profiler/steps/segment_in_progress.h"
#include "profiler/steps/step_numbers.h"

namespace ampprof::profiler {

/// Holds the calls before and after the current segment (BetweenSteps). Not thread-safe.
class HeldAround {
 public:
  /// `numbers` must outlive this object.
  explicit HeldAround(StepNumbers& numbers) : numbers_(numbers) {}

  /// Returns whether the program is between two steps, where calls are held.
  bool is_open() const { return is_open_; }
  void open() { is_open_ = true; }
  /// Returns the held calls before the current segment. The segment may still read their results.
  BetweenSteps& before() { return before_; }
  BetweenSteps& after() { return after_; }

  /// Holds a call that begins now, and ends the time of `current` before it. Returns the call's number; 0 if no number
  /// is left.
  std::int64_t hold(SegmentInProgress& current, std::int64_t now_ns, const BetweenSteps::Call& call);
  /// Ends a segment, and assigns the held calls before the segment to steps. Returns the new segments of held calls
  /// that belong to the step of the ended segment.
  std::vector<Segment> segment_ends(const SegmentInProgress& ended, std::int64_t now_ns);
  /// Assigns all held calls to steps at the end of the program.
  void program_ends(const SegmentInProgress& current, std::int64_t now_ns);

  /// Returns and clears the decisions since the last take().
  BetweenSteps::Decision take() { return std::exchange(placed_, {}); }

 private:
  void end_after(const SegmentInProgress& segment, std::int64_t now_ns);
  void place(BetweenSteps& held, const Segment& before, const Segment& after);

  StepNumbers& numbers_;
  bool is_open_ = false;
  Segment segment_before_;
  BetweenSteps before_, after_;
  BetweenSteps::Decision placed_;
};

}  // namespace ampprof::profiler
