// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "precision/tensors/deferred_reductions.h"
#include "reports/records/step.h"

namespace ampprof::profiler {

/// The losses that the backward passes of a segment began at. They are divided by their scales when it ends: a
/// GradScaler's first scale is not known before, and a device is not waited for before. Not thread-safe.
class SeenLosses {
 public:
  struct Seen {
    std::int64_t pass = 0;
    std::int64_t segment = 0;
    std::int32_t loss_id = 0;
    std::optional<double> scale{};  ///< of its pass, where it is known
  };

  /// `loss` has one element, and so has its counterpart in each replay of the step, undefined where that has no other
  /// value. What the program writes into it later makes no difference. One on a device arrives with
  /// `results.complete()`.
  void add(const Seen& seen, const at::Tensor& loss, const std::vector<at::Tensor>& in_replays,
           tensors::DeferredReductions& results);
  void scale_was(std::int64_t pass, double scale);
  /// A loss, with what it is in each replay of the step.
  struct Loss {
    LossValue value;
    std::vector<std::optional<double>> in_replays;

    /// Returns the row of run `run` of the report.
    LossValue in(std::size_t run) const;
  };
  /// Returns the losses that have arrived and whose scale is known, once, in the order in which they were added. Forgets
  /// those of unknown scale, but for those of passes that are still open.
  std::vector<Loss> take(const std::function<bool(std::int64_t pass)>& is_open);
  /// Returns how many have not arrived.
  std::size_t waiting() const;

 private:
  using Late = std::shared_ptr<std::optional<double>>;  ///< empty until it arrives
  struct Kept {
    Seen seen;
    Late value;
    std::vector<Late> in_replays;  ///< null where there is none

    bool has_arrived() const;
  };
  std::vector<Kept> kept_;
};

}  // namespace ampprof::profiler
