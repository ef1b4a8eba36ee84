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

/// Keeps the losses of backward passes until they have arrived from their devices and it is known which value of their
/// chain is the loss. Never divides a value. Not thread-safe.
class SeenLosses {
 public:
  struct Seen {
    std::int64_t segment = 0;
    std::int32_t loss_id = 0;
    LossChain chain = {};
  };

  /// Adds a loss. `values`: the chain's values by number, the root first, then each operand. Defined ones have one
  /// element. Later writes by the program do not matter. A value on a device arrives with `results.complete()`.
  void add(Seen seen, const std::vector<LossTensor>& values, tensors::DeferredReductions& results);
  /// A loss, with its value in each replay of the step.
  struct Loss {
    LossValue value;
    std::vector<std::optional<double>> in_replays;
    std::vector<bool> are_decided;  ///< in each replay: decisions before it differ from the run's

    /// Returns the row of run `run` of the report.
    LossValue in(std::size_t run) const;
  };
  /// Returns the number of the chain's value that is the loss; empty while unknown.
  using Choose = std::function<std::optional<std::size_t>(const LossChain& chain)>;
  struct Taken {
    std::vector<Loss> losses;
    std::int64_t unknown = 0;  ///< losses whose value is unknown; they are forgotten
  };
  /// Returns the losses that have arrived and that `choose` decides, in the order in which they were added, and removes
  /// them.
  Taken take(const Choose& choose);
  /// Returns how many have not arrived.
  std::size_t waiting() const;
  std::size_t size() const { return kept_.size(); }
  /// Returns whether the loss that was taken last is finite; true before the first.
  bool latest_is_finite() const { return latest_is_finite_; }

 private:
  using Late = std::shared_ptr<std::optional<double>>;  ///< empty until it arrives
  struct Value {
    Late run;                      ///< null if unknown
    std::vector<Late> in_replays;  ///< null if there is none
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
