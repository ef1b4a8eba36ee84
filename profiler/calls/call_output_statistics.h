// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "precision/tensors/call_sketch.h"
#include "precision/tensors/deferred_reductions.h"
#include "precision/tensors/measure.h"
#include "reports/records/op_call.h"

namespace ampprof::profiler {

/// Merges the error statistics of one call's outputs. Statistics of tensors on a device arrive later.
class CallStatistics {
 public:
  /// Compares an output with its reference. If `results` is given, the device computes the statistics, which arrive
  /// later. If `beside` is given too, the device also makes a sketch of the output in the same pass. Returns whether
  /// they differ; true if this is not known yet.
  bool add(const at::Tensor& output, const at::Tensor& reference, tensors::DeferredReductions* results,
           tensors::SketchBeside* beside = nullptr) {
    if (results != nullptr) {
      later_.push_back(results->add(output, reference, std::nullopt, beside));
      return true;
    }
    const error::OutputStatistics measured = tensors::measure(output, reference);
    add(measured);
    return measured.local && (measured.local->max_abs > 0 || measured.local->excluded > 0);
  }

  /// Adds an output that is known to be finite, without statistics.
  void add_finite() {
    if (!whole_) whole_.emplace();
  }

  /// Adds the statistics of one output.
  void add(const error::OutputStatistics& measured) {
    is_measured_ = true;
    whole_ ? whole_->merge(measured) : void(whole_ = measured);
  }

  bool is_complete() const { return later_.empty(); }

  /// Waits for the statistics still on a device, and adds them.
  void complete(tensors::DeferredReductions& results) {
    for (const tensors::DeferredReductions::Ticket ticket : later_) add(results.take(ticket));
    later_.clear();
  }

  /// Returns the merged statistics; empty if no output was added. Valid once is_complete().
  const std::optional<error::OutputStatistics>& value() const { return whole_; }

  /// Stores the merged statistics of all compared outputs in the call's record.
  void put(OpCall& record) const {
    if (!is_measured_) return;
    record.local = whole_->local;
    record.ranges = whole_->ranges;
    record.exponents = encode(whole_->exponents);
  }

 private:
  std::optional<error::OutputStatistics> whole_;
  bool is_measured_ = false;  ///< false while every added output is only known to be finite
  std::vector<tensors::DeferredReductions::Ticket> later_;
};

/// Holds the error stage's results for one call's outputs.
struct CallOutputStatistics {
  CallStatistics statistics{};
  bool are_ranges_only = false;  ///< the outputs were not compared with references
  /// Sketches that the error stage made in the same pass, in the order of the outputs; null for outputs without one.
  std::vector<tensors::PendingSketch> sketches{};
};

}  // namespace ampprof::profiler
