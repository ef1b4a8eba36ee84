// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace ampprof::profiler {

/// Remembers the op calls in the forward of each custom autograd function, because a reentrant checkpoint runs its
/// forward again during backward. A function is identified by the number of its autograd node. Not thread-safe.
class RecomputedFunctions {
 public:
  using Calls = std::vector<std::pair<std::int32_t, std::int64_t>>;  ///< ids of op and call site, in order of calls

  void add(std::uint64_t function, Calls calls) { functions_[function] = {.calls = std::move(calls)}; }

  struct Repeated {
    std::optional<std::int64_t> site;  ///< call site; empty if the first forward had no further call of this op
    bool is_first = false;             ///< the recomputation begins with this call
  };
  /// Returns the call of the first forward that the next call of `op` in the recomputation repeats; empty if the
  /// function is unknown. Expects the calls in the order of the first forward, and skips calls of other ops there.
  std::optional<Repeated> repeat(std::uint64_t function, std::int32_t op);

  void clear() { functions_.clear(); }

 private:
  struct Function {
    Calls calls;
    std::size_t next = 0;  ///< index in `calls` at which the search for the next repeated call begins
  };
  std::map<std::uint64_t, Function> functions_;
};

}  // namespace ampprof::profiler
