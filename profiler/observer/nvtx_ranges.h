// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "profiler/nvtx/sink_to_ranges.h"

namespace ampprof::profiler {

class MissingNotes;
class Recorder;
class RunClock;

/// Records the ranges that the program marks with NVTX, and emits ampprof's own ranges for another tool that listens.
class NvtxRanges {
 public:
  /// `clock` must never be freed, since the ranges never are.
  NvtxRanges(const RunClock& clock, MissingNotes& missing);

  /// Returns the sink for ranges that the program marks.
  const RangeSink& sink() const { return sink_to(ranges_); }
  /// Returns whether another tool receives ampprof's own ranges.
  bool is_listened_to() const { return is_listened_to_; }

  /// Passes the ranges that have ended to the recorder.
  void collect(Recorder& recorder);
  /// Passes all remaining ranges to the recorder, ends ampprof's own, and adds notes on ranges that were lost.
  void finish(std::int64_t now_ns, Recorder& recorder);

  /// Begins ampprof's own range of an opt level, if a tool listens. It ends with the recording.
  void begin_level(const std::string& level);
  /// Begins ampprof's own range of a step, on any thread. The previous step's range ends here.
  void begin_step(std::int64_t step);

 private:
  Ranges& ranges_;  ///< never freed, because the program may mark a range at any time
  const bool is_listened_to_;
  std::uint64_t level_ = 0;  ///< id of ampprof's open range for the opt level; 0 if there is none
  std::uint64_t step_ = 0;
};

}  // namespace ampprof::profiler
