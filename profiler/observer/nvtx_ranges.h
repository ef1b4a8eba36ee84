// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "profiler/nvtx/sink_to_ranges.h"

namespace ampprof::profiler {

class MissingNotes;
class Recorder;
class RunClock;

/// The ranges that the program marks with NVTX, and ampprof's own for another tool that listens.
class NvtxRanges {
 public:
  /// `clock` is never freed.
  NvtxRanges(const RunClock& clock, MissingNotes& missing);

  /// Returns who takes the ranges that the program marks.
  const RangeSink& sink() const { return sink_to(ranges_); }
  /// Returns whether another tool takes ampprof's own ranges.
  bool is_listened_to() const { return is_listened_to_; }

  /// Hands over the ranges that have ended.
  void collect(Recorder& recorder);
  /// Hands over all the rest, ends ampprof's own, and says what is missing.
  void finish(std::int64_t now_ns, Recorder& recorder);

  /// Begins ampprof's own range of a level, where somebody listens. It ends with the recording.
  void begin_level(const std::string& level);
  /// Begins that of a step, on whatever thread: it begins where the one before it ended.
  void begin_step(std::int64_t step);

 private:
  Ranges& ranges_;  ///< never freed: a range may be marked whenever that would be
  const bool is_listened_to_;
  std::uint64_t level_ = 0;  ///< ampprof's own that are open; 0 for none
  std::uint64_t step_ = 0;
};

}  // namespace ampprof::profiler
