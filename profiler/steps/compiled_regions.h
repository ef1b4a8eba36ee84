// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "reports/records/run.h"

namespace ampprof::profiler {

/// Sums the time that steps spend in regions of torch.compile(), whose ops are not visible. Times are nanoseconds
/// without ampprof's own time. Not thread-safe.
class CompiledRegions {
 public:
  /// Adds a call of a region, forward or backward, in the current segment.
  void add_call(std::int64_t ns);
  /// Ends a segment that took `ns`.
  void end_segment(std::int64_t ns);

  /// Returns a note with the regions' share of the time; empty if the program has no regions. Counts only segments of
  /// at most 1.5 times the median time, since longer ones compile or warm up.
  std::optional<Missing> missing() const;

 private:
  struct Part {
    std::int64_t inside_ns = 0;
    std::int64_t whole_ns = 0;
  };
  static constexpr std::size_t kKept = 4096;  ///< number of latest segments that are kept

  double share() const;

  std::int64_t calls_ = 0;
  std::int64_t inside_ns_ = 0;  ///< time in regions in the current segment
  std::vector<Part> segments_;
  std::size_t next_ = 0;
};

}  // namespace ampprof::profiler
