// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "profiler/calls/output_pair.h"

namespace ampprof {
struct OpCall;
}

namespace ampprof::profiler {

struct Call;
struct OpInfo;

/// Holds what a call is compared with.
struct Pairs {
  std::vector<OutputPair> pairs{};   ///< one whose `high` is undefined is measured by itself
  bool measures_if_none = false;     ///< where there is no pair, outputs are measured by themselves
};

/// Gives the error stage what the outputs of a call are compared with: a reference, the same op on rounded operands, or
/// what recipes make of its matmuls. Thread-safe.
class PairSource {
 public:
  virtual ~PairSource() = default;

  virtual bool wants(const OpInfo& info) const = 0;

  /// Saves what it needs of the call before the op runs, in `call.saved`.
  virtual void before(Call& call) = 0;

  /// Returns the pairs once the op ran; nothing where nothing is measured, as of a view.
  virtual std::optional<Pairs> after(Call& call) = 0;

  /// Calls whose figures have come together are complete.
  virtual void batch_completed() {}
};

}  // namespace ampprof::profiler
