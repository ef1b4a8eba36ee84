// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "precision/drift/followed_sample.h"
#include "reports/records/drift.h"

namespace ampprof::profiler {

/// A tensor whose sample is followed in exact arithmetic. Does not keep the tensor alive.
///
/// A *life* is a time in which the sample is followed without interruption. It ends with an unobserved write, with
/// renew(), or with the tensor's memory. Each life has its own statistics.
struct FollowedTensor {
  c10::weak_intrusive_ptr<c10::StorageImpl> storage;
  std::int64_t offset;
  std::vector<std::int64_t> sizes, strides;
  bool is_contiguous;
  drift::FollowedSample sample;
  /// True if integer arithmetic may have changed the bits of the tensor. An element whose value changed by at most 2
  /// ulp of BF16 is still followed.
  bool may_be_changed_bits = false;
  bool is_through_bits = false;  ///< computed from a tensor with changed bits
  std::int64_t made_in = 0;      ///< segment of the call that returned the tensor
  std::int64_t made_by = 0;      ///< call site that returned the tensor; 0 for a tensor that was only written in place
  /// Tensors of earlier segments from which this tensor was computed in the current segment.
  std::vector<std::shared_ptr<FollowedTensor>> ancestors{};
  bool has_successor = false;  ///< a newer tensor continues the sample: `x = x + 1` makes a new tensor each time
  Drift row{};                 ///< role, parameter and dtype; the statistics are set when the life ends

  bool is(const at::Tensor& tensor) const;
};

/// Holds the followed tensors by storage. Not thread-safe.
class FollowedTensors {
 public:
  using Pointer = std::shared_ptr<FollowedTensor>;

  /// Returns the followed tensor; null for a tensor that is not followed.
  Pointer find(const at::Tensor& tensor) const;
  /// Starts to follow a tensor; starts anew if it is followed already.
  Pointer follow(const at::Tensor& tensor, drift::FollowedSample sample);
  /// Ends a tensor's life after an unobserved write, and begins a new one from `run`, the program's values.
  void restart(FollowedTensor& tensor, std::vector<double> run);
  /// Ends a tensor's life, and begins a new one in `segment` from the latest values, the program's and the exact ones.
  void renew(FollowedTensor& tensor, std::int64_t segment);
  /// Ends the lives of tensors whose memory is gone.
  void sweep();
  void clear() { tensors_.clear(); }

  /// Returns a row for each tensor that was written in two segments or more. A parameter, or its gradient, has one row
  /// for all of its lives. Other tensors share a row if their name and call site are the same.
  std::vector<Drift> rows();
  /// Returns how many tensors ended without a row because of too many unobserved writes.
  std::int64_t lost() const { return lost_; }

 private:
  using Key = std::tuple<DriftRole, std::string, std::int64_t>;

  void close(std::span<const FollowedTensor* const> ended);
  void close(const FollowedTensor& ended) { close(std::array{&ended}); }

  std::unordered_map<const c10::StorageImpl*, std::vector<Pointer>> tensors_;
  std::map<Key, Drift> closed_;
  std::int64_t lost_ = 0;
};

}  // namespace ampprof::profiler
