// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "reports/records/records.h"

namespace ampprof::profiler {

/// Counts the graphs that torch.compile() made and the time in them that no op call accounts for: what their kernels do
/// is not seen as op calls. Times are nanoseconds. Not thread-safe.
class CompiledGraphs {
 public:
  /// The graph in progress on one thread.
  struct OnThread {
    std::int64_t begun_ns = -1;  ///< -1 outside of any
    std::int64_t seen_before_ns = 0;

    bool is_inside() const { return begun_ns >= 0; }
    /// `seen_ns`: time in op calls of this thread, so far. A graph inside another one is a part of that.
    void begin(std::int64_t now_ns, std::int64_t seen_ns);
  };

  /// Counts the graph that ends on this thread; does nothing outside of any.
  void end(OnThread& thread, std::int64_t now_ns, std::int64_t seen_ns);
  void add_substep(std::int64_t ns) { substeps_ns_ += ns; }

  /// Returns what to say of them: their share in the time of all substeps. Empty where there were none.
  std::optional<Missing> missing() const;

 private:
  std::int64_t graphs_ = 0;       ///< calls of them
  std::int64_t unseen_ns_ = 0;    ///< in these, outside of op calls
  std::int64_t substeps_ns_ = 0;  ///< of substeps that are finished
};

}  // namespace ampprof::profiler
