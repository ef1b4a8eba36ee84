// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace ampprof::profiler {

/// Remembers the op calls of each ended forward of a custom autograd function, since a reentrant checkpoint runs it
/// again in its backward. A function is identified by the number of its node. Not thread-safe.
class FunctionRuns {
 public:
  using Calls = std::vector<std::pair<std::int32_t, std::int64_t>>;  ///< op and call site, in order

  void add(std::uint64_t function, Calls calls) { functions_[function] = {.calls = std::move(calls)}; }

  struct Repeated {
    std::optional<std::int64_t> site;  ///< empty if the first run has no such call left
    bool is_first = false;             ///< no call was repeated before it
  };
  /// Returns the call of the first run that the next call of `op` repeats; empty if the function is unknown. The k-th
  /// call of the second run repeats the k-th call of the first.
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
