// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "profiler/impact/impact_ledger.h"

namespace ampprof::profiler {

/// Takes what errors do to the loss, from the hooks that the backward pass calls. Thread-safe.
class ImpactSink {
 public:
  /// Returns whether anything is recorded any more. Hooks outlive the recording, in a forked child too: there nothing
  /// else of this may be called.
  virtual bool is_open() const = 0;
  /// Returns the current segment, if it has inherited error and loss impact.
  virtual std::optional<std::int64_t> sampled_segment() = 0;
  /// The current backward pass brought the gradient that an error met. `effect` may come later. `function`: the node of
  /// the custom autograd function whose output it is; 0 for none.
  virtual void add(const ImpactLedger::Error& error, ImpactLedger::LateEffect effect, std::uint64_t function) = 0;
  /// There is no error for the gradient to meet.
  virtual void add_gap(const ImpactLedger::Error& error, ImpactGap gap) = 0;

 protected:
  ~ImpactSink() = default;
};

}  // namespace ampprof::profiler
