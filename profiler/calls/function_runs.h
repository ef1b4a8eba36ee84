// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace ampprof::profiler {

/// Remembers the op calls in the forward of each custom autograd function, since a reentrant checkpoint runs its
/// forward again in its backward. A function is identified by the number of its autograd node. Not thread-safe.
class FunctionRuns {
 public:
  using Calls = std::vector<std::pair<std::int32_t, std::int64_t>>;  ///< ids of op and call site, in order of calls

  void add(std::uint64_t function, Calls calls) { functions_[function] = {.calls = std::move(calls)}; }

  struct Repeated {
    std::optional<std::int64_t> site;  ///< empty if no call of this op is left in the first run
    bool is_first = false;             ///< the second run begins with this call
  };
  /// Returns the first run's call that the next call of `op` in the second run repeats; empty if the function is
  /// unknown. Expects the same order of calls in both runs, but skips calls of other ops in the first run.
  std::optional<Repeated> repeat(std::uint64_t function, std::int32_t op);

  void clear() { functions_.clear(); }

 private:
  struct Function {
    Calls calls;
    std::size_t next = 0;  ///< index of the next call in the second run
  };
  std::map<std::uint64_t, Function> functions_;
};

}  // namespace ampprof::profiler
