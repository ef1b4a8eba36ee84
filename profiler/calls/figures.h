// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "precision/tensors/device_results.h"
#include "precision/tensors/measure.h"

namespace ampprof::profiler {

/// Adds up what is measured of the outputs of one call. Figures of tensors on a device come later.
class Figures {
 public:
  /// Compares an output with its reference, now or, where `results` is given, later. Returns false where the two are
  /// known to be the same.
  bool add(const at::Tensor& output, const at::Tensor& reference, DeviceResults* results) {
    if (results != nullptr) {
      later_.push_back(results->add(output, reference));
      return true;
    }
    const OutputStatistics measured = measure(output, reference);
    add(measured);
    return measured.local && (measured.local->max_abs > 0 || measured.local->excluded > 0);
  }

  bool is_complete() const { return later_.empty(); }

  /// Waits for what is still to come.
  void complete(DeviceResults& results) {
    for (const DeviceResults::Ticket ticket : later_) add(results.take(ticket));
    later_.clear();
  }

  /// Returns nothing where nothing was measured. Only once it is complete.
  const std::optional<OutputStatistics>& value() const { return whole_; }

 private:
  void add(const OutputStatistics& measured) { whole_ ? whole_->merge(measured) : void(whole_ = measured); }

  std::optional<OutputStatistics> whole_;
  std::vector<DeviceResults::Ticket> later_;
};

}  // namespace ampprof::profiler
