// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "reports/records/run.h"

namespace ampprof::profiler {

/// Adds up how much of the steps' time is inside regions that torch.compile() made, whose ops are not seen one by one.
/// Times are nanoseconds, without ampprof's own. Not thread-safe.
class CompiledRegions {
 public:
  /// Takes a call of a region, forward or backward, of the segment in progress.
  void add_call(std::int64_t ns);
  /// Ends a segment that took so long.
  void end_segment(std::int64_t ns);

  /// Returns what to say of them: their share of the segments that took at most 1.5 times the median. The others
  /// compile or warm up. Empty where there were none.
  std::optional<Missing> missing() const;

 private:
  struct Part {
    std::int64_t inside_ns = 0;
    std::int64_t whole_ns = 0;
  };
  static constexpr std::size_t kKept = 4096;  ///< the latest

  double share() const;

  std::int64_t calls_ = 0;
  std::int64_t inside_ns_ = 0;  ///< of the segment in progress
  std::vector<Part> segments_;
  std::size_t next_ = 0;
};

}  // namespace ampprof::profiler
