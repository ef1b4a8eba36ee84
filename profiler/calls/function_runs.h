// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace ampprof::profiler {

/// Remembers the op calls of each custom autograd function's forward that has ended: a checkpoint with reentry runs it
/// once more in its backward. A function is known by the number of its node. Not thread-safe.
class FunctionRuns {
 public:
  using Calls = std::vector<std::pair<std::int32_t, std::int64_t>>;  ///< op and call site, in order

  void add(std::uint64_t function, Calls calls) { functions_[function] = {.calls = std::move(calls)}; }

  struct Repeated {
    std::optional<std::int64_t> site;  ///< empty where the first run had no such call any more
    bool is_first = false;             ///< no call was repeated before it
  };
  /// Returns the call of the first run that the next call of `op` repeats: the k-th call that a function makes again is
  /// the k-th that it made. Empty where the function is not known.
  std::optional<Repeated> repeat(std::uint64_t function, std::int32_t op);

  void clear() { functions_.clear(); }

 private:
  struct Function {
    Calls calls;
    std::size_t next = 0;  ///< of them, once it is run again
  };
  std::map<std::uint64_t, Function> functions_;
};

}  // namespace ampprof::profiler
