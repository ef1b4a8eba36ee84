// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "precision/tensors/deferred_reductions.h"
#include "reports/records/sketch.h"

namespace ampprof::tensors {

/// The checksum of a tensor, as a number or in a sketch that is still on a device.
class Checksum {
 public:
  explicit Checksum(std::uint64_t here) : here_(here) {}
  explicit Checksum(PendingSketch later) : later_(std::move(later)) {}

  bool is_here() const { return later_ == nullptr; }
  /// Call only if the checksum has arrived from the device, or after DeferredReductions::complete().
  std::uint64_t value() const { return later_ ? static_cast<std::uint64_t>(later_->checksum) : here_; }

 private:
  std::uint64_t here_ = 0;
  PendingSketch later_;
};

/// The sketch of a call's inputs and outputs. Parts of it may still be on a device.
class CallSketch {
 public:
  void add_input(const Checksum& checksum);
  /// Adds an output whose first element has index `start` among all elements: at once, or, if `later` is given, in
  /// later->complete(). `made` is the output's sketch if that exists already. Returns the checksum of the bits of this
  /// output only.
  Checksum add_output(const at::Tensor& output, std::uint64_t start, DeferredReductions* later, PendingSketch made);

  /// Returns whether the call has no elements to compare.
  bool is_empty() const { return here_.elements == 0; }
  bool is_complete() const { return later_inputs_.empty() && later_outputs_.empty(); }
  /// Returns the whole sketch. Call only after all parts have arrived, or after DeferredReductions::complete().
  Sketch value() const;

 private:
  struct Part {
    PendingSketch sketch;
    bool has_sums;
    std::uint64_t start;
  };

  Sketch here_;
  std::uint64_t inputs_ = 0;            ///< checksum of the inputs before those in `later_inputs_`
  std::vector<Checksum> later_inputs_;  ///< the inputs, from the first whose checksum has not arrived
  std::vector<Part> later_outputs_;
};

}  // namespace ampprof::tensors
