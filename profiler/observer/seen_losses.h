// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "precision/tensors/deferred_reductions.h"
#include "profiler/loss/loss_factor.h"
#include "profiler/torch_hooks/one_element_products.h"
#include "reports/records/step.h"

namespace ampprof::profiler {

/// Keeps possible losses of backward passes until their values have arrived from devices and it is known which one is
/// the loss: the root of a pass, or an operand of the multiplications that made the root. If the root is scaled, the
/// loss is the value before scaling, so nothing has to be divided. Not thread-safe.
class SeenLosses {
 public:
  struct Seen {
    std::int64_t segment = 0;
    std::int32_t loss_id = 0;
    LossChain chain = {};
  };

  /// Adds a loss. `values`: the root of the pass, then the operand of each multiplication in the chain; each has one
  /// element or is undefined. Values are read or copied now, so the program may overwrite the tensors. A value on a
  /// device arrives with `results.complete()`.
  void add(Seen seen, const std::vector<LossTensor>& values, tensors::DeferredReductions& results);
  /// A loss, with its value in each replay of the step.
  struct Loss {
    LossValue value;
    std::vector<std::optional<double>> in_replays;
    std::vector<bool> are_decided;  ///< one per replay: the value depends on decisions that differ from the program's

    /// Returns the loss's row in run `run` of the report.
    LossValue in(std::size_t run) const;
  };
  /// Returns the index of the loss in `values` of add(); empty while it is unknown.
  using Choose = std::function<std::optional<std::size_t>(const LossChain& chain)>;
  struct Taken {
    std::vector<Loss> losses;
    std::int64_t unknown = 0;  ///< removed losses whose value is undefined
  };
  /// Removes and returns the losses whose values have arrived and for which `choose` returns an index, in the order in
  /// which they were added.
  Taken take(const Choose& choose);
  /// Returns how many losses still wait for values from a device.
  std::size_t waiting() const;
  std::size_t size() const { return kept_.size(); }
  /// Returns whether the last loss that take() returned is finite; true before the first.
  bool latest_is_finite() const { return latest_is_finite_; }

 private:
  using Late = std::shared_ptr<std::optional<double>>;  ///< the inner value is empty until it arrives
  struct Value {
    Late run;                      ///< the program's value; null if the tensor was undefined
    std::vector<Late> in_replays;  ///< one for each replay; null if the replay has lost the value
    std::vector<bool> are_decided;

    bool has_arrived() const;
  };
  struct Kept {
    Seen seen;
    std::vector<Value> values;

    bool has_arrived() const;
  };
  std::vector<Kept> kept_;
  bool latest_is_finite_ = true;
};

}  // namespace ampprof::profiler
