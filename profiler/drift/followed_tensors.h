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
struct FollowedTensor {
  c10::weak_intrusive_ptr<c10::StorageImpl> storage;
  std::int64_t offset;
  std::vector<std::int64_t> sizes, strides;
  bool is_contiguous;
  drift::FollowedSample sample;
  /// Integer arithmetic may have changed the bits in its memory: an element is followed on where it is close.
  bool may_be_changed_bits = false;
  bool is_through_bits = false;  ///< it was computed of such a tensor
  std::int64_t made_in = 0;      ///< segment
  std::int64_t made_by = 0;      ///< call site; 0 for one that was only written in place
  /// Tensors of earlier segments that it was computed of in this one.
  std::vector<std::shared_ptr<FollowedTensor>> ancestors{};
  bool has_successor = false;  ///< another tensor goes on with its sample: `x = x + 1` makes a new one each time
  Drift row{};                 ///< role, parameter and type; figures come at the end

  bool is(const at::Tensor& tensor) const;
};

/// The tensors that are followed, by memory. Not thread-safe.
class FollowedTensors {
 public:
  using Pointer = std::shared_ptr<FollowedTensor>;

  /// Returns null for a tensor that is not followed.
  Pointer find(const at::Tensor& tensor) const;
  /// Follows a tensor from here on, in place of what was followed in its memory.
  Pointer follow(const at::Tensor& tensor, drift::FollowedSample sample);
  /// Follows a tensor anew that was written unseen: its life until then is over.
  void restart(FollowedTensor& tensor, std::vector<double> run);
  /// Ends a tensor's life and begins another with the values of both, in this segment.
  void renew(FollowedTensor& tensor, std::int64_t segment);
  /// Ends the lives of tensors whose memory is gone.
  void sweep();
  void clear() { tensors_.clear(); }

  /// Returns a row for each tensor that was written in two segments or more. A parameter, or its gradient, has one row
  /// for all of its lives; other tensors share a row where their name and call site are the same.
  std::vector<Drift> rows();
  /// Returns how many tensors ended without a row since they were written unseen again and again.
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
