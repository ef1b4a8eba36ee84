// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "reports/records/records.h"

namespace ampprof::profiler {

/// The losses that the backward passes of a substep began at. They are read, and divided by their scales, when it ends:
/// a device is not waited for before, and a GradScaler's first scale is not known before. Not thread-safe.
class SeenLosses {
 public:
  struct Seen {
    std::int64_t pass = 0;
    std::int64_t substep = 0;
    std::int32_t loss_id = 0;
    std::optional<double> scale{};  ///< of its pass, where it is known
  };

  /// `loss` has one element; what the program writes into it later makes no difference.
  void add(const Seen& seen, const at::Tensor& loss);
  void scale_was(std::int64_t pass, double scale);
  /// Whether to wait for a device, where a loss is on one.
  enum class Device { WaitFor, Leave };
  /// Returns the losses whose scale is known, once, in the order in which they were added. Forgets those of unknown
  /// scale, but for those of passes that are still open. What is left on a device comes later; of 4,096 all are waited
  /// for.
  std::vector<LossValue> take(const std::function<bool(std::int64_t pass)>& is_open, Device device = Device::WaitFor);

 private:
  struct Kept {
    Seen seen;
    at::Tensor value;
  };
  std::vector<Kept> kept_;
};

}  // namespace ampprof::profiler
