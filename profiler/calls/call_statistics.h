// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "precision/tensors/deferred_reductions.h"
#include "precision/tensors/measure.h"
#include "reports/records/exponents.h"
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

  /// Adds what is known already.
  void add(const error::OutputStatistics& measured) { whole_ ? whole_->merge(measured) : void(whole_ = measured); }

  bool is_complete() const { return later_.empty(); }

  /// Waits for what is still to come.
  void complete(tensors::DeferredReductions& results) {
    for (const tensors::DeferredReductions::Ticket ticket : later_) add(results.take(ticket));
    later_.clear();
  }

  /// Returns nothing where nothing was measured. Only once it is complete.
  const std::optional<error::OutputStatistics>& value() const { return whole_; }

 private:
  std::optional<error::OutputStatistics> whole_;
  std::vector<tensors::DeferredReductions::Ticket> later_;
};

/// Puts what was measured of all outputs of a call, each against its reference, into the call's record. Empty: nothing
/// was.
inline void put_measured(OpCall& record, const std::optional<error::OutputStatistics>& measured) {
  if (!measured) return;
  record.local = measured->local;
  record.ranges = measured->ranges;
  record.exponents = encode(measured->exponents);
}

/// Returns the record of a call as each further course has it: all that differs is what was measured there.
inline std::vector<OpCall> records_of(const OpCall& record, const std::vector<CallStatistics>& further) {
  std::vector<OpCall> records;
  for (const CallStatistics& measured : further) {
    OpCall& own = records.emplace_back(record);
    own.local.reset();
    own.ranges.reset();
    own.exponents.clear();
    put_measured(own, measured.value());
  }
  return records;
}

/// Puts what was measured of them against the shadow into the record.
inline void put_inherited(OpCall& record, const std::optional<error::OutputStatistics>& measured) {
  if (!measured || !measured->local) return;
  record.inherited = measured->local;
  record.inherited_exponents = encode(measured->exponents);
}

}  // namespace ampprof::profiler
