// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>

#include "reports/records/step.h"

namespace ampprof::profiler {

/// The current segment. It ends with its last update; without an update, with its last op before the first held call
/// (BetweenSteps). Times are nanoseconds since the recording began.
class SegmentInProgress {
 public:
  SegmentInProgress() = default;

  const Segment& get() const { return segment_; }
  /// Returns whether the segment has an update by an optimizer, done or skipped.
  bool is_updated() const { return is_updated_; }

  /// Returns whether a backward pass has begun and no update has followed.
  bool awaits_update() const { return passes_ > 0 && !is_updated_; }
  /// Returns the number of backward passes that began in the segment. Gradient accumulation has one per micro-batch.
  std::int64_t passes() const { return passes_; }

  void begin(std::int64_t id, std::int64_t step, std::int32_t position, std::int64_t now_ns) {
    *this = SegmentInProgress(overhead_ns_);
    segment_ = {.id = id, .step = step, .position = position, .start_ns = now_ns, .end_ns = now_ns};
  }
  void set_place(std::int64_t step, std::int32_t position) {
    segment_.step = step;
    segment_.position = position;
  }
  void set_recorded(bool recorded) { segment_.recorded = recorded; }

  void pass_begun() { ++passes_; }
  void op_ended(std::int64_t now_ns) {
    if (!has_ended()) segment_.end_ns = now_ns;
  }
  /// Ends the segment's time, because the following ops are held calls.
  void close() { is_closed_ = true; }
  void updated(std::int64_t now_ns) {
    is_updated_ = true;
    segment_.end_ns = now_ns;
    segment_.overhead_ns += std::exchange(overhead_since_end_, 0);
  }
  void mark_done() { segment_.updated = true; }
  /// Notes that an optimizer skipped its update. `seemed_done`: mark_done() was called before, because only the
  /// optimizer's kernel skipped the update.
  void mark_skipped(bool seemed_done = false) {
    segment_.skipped = true;
    if (seemed_done) segment_.updated = false;
  }
  /// Adds ampprof's own time.
  void add_overhead(std::int64_t ns) {
    overhead_ns_ += ns;
    (has_ended() ? overhead_since_end_ : segment_.overhead_ns) += ns;
  }
  /// Returns ampprof's own time in all segments.
  std::int64_t overhead_ns() const { return overhead_ns_; }

 private:
  explicit SegmentInProgress(std::int64_t overhead_ns) : overhead_ns_(overhead_ns) {}
  bool has_ended() const { return is_updated_ || is_closed_; }

  Segment segment_;
  std::int64_t overhead_ns_ = 0;
  std::int64_t overhead_since_end_ = 0;
  std::int64_t passes_ = 0;
  bool is_updated_ = false;
  bool is_closed_ = false;
};

}  // namespace ampprof::profiler
