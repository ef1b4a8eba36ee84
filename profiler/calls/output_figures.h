// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "precision/tensors/call_sketch.h"
#include "precision/tensors/deferred_reductions.h"
#include "precision/tensors/measure.h"
#include "reports/records/op_call.h"

namespace ampprof::profiler {

/// Adds up what is measured of the outputs of one call. Figures of tensors on a device come later.
class CallStatistics {
 public:
  /// Compares an output with its reference, now or, where `results` is given, later, and then perhaps with a sketch
  /// beside it. Returns false where the two are known to be the same.
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

  /// Adds an output that is finite, and of which nothing else is known.
  void add_finite() {
    if (!whole_) whole_.emplace();
  }

  /// Adds what is known already.
  void add(const error::OutputStatistics& measured) {
    is_measured_ = true;
    whole_ ? whole_->merge(measured) : void(whole_ = measured);
  }

  bool is_complete() const { return later_.empty(); }

  /// Waits for what is still to come.
  void complete(tensors::DeferredReductions& results) {
    for (const tensors::DeferredReductions::Ticket ticket : later_) add(results.take(ticket));
    later_.clear();
  }

  /// Returns nothing where no output was looked at. Only once it is complete.
  const std::optional<error::OutputStatistics>& value() const { return whole_; }

  /// Puts what was measured, of all outputs against their references, into the call's record.
  void put(OpCall& record) const {
    if (!is_measured_) return;
    record.local = whole_->local;
    record.ranges = whole_->ranges;
    record.exponents = encode(whole_->exponents);
  }

 private:
  std::optional<error::OutputStatistics> whole_;
  bool is_measured_ = false;  ///< more is known of some output than that it is finite
  std::vector<tensors::DeferredReductions::Ticket> later_;
};

/// Holds what the error stage measured of the outputs of one call.
struct OutputFigures {
  CallStatistics statistics{};
  bool are_ranges_only = false;  ///< the outputs were compared with nothing
  /// Sketches that were made as outputs were measured, in the order of these; null for the others.
  std::vector<tensors::LateSketch> sketches{};
};

}  // namespace ampprof::profiler
