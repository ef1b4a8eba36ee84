// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "profiler/drift/elementwise_call.h"
#include "profiler/drift/followed_tensors.h"

namespace ampprof::profiler {

struct CallContext;
class MissingNotes;
class ParameterFacts;

/// Follows tensors that outlive steps through the code that updates them, on a sample of their elements in FP64.
///
/// Update code is code outside of backward that runs with grad mode off or on tensors that do not require grad, and
/// AccumulateGrad. The tracker repeats the ops of update code in FP64. It takes exact values of followed operands, and
/// the program's values of all others, such as gradients. So the exact values stay near the program's. A tensor that
/// other code wrote is followed anew from the program's values. Thread-safe.
class DriftTracker {
 public:
  explicit DriftTracker(ParameterFacts& parameters) : parameters_(parameters) {}

  /// The sampled elements of a tensor, without the rounding since the segment began (`local`), and without all rounding
  /// since the tensor was first seen (`exact`).
  struct Unrounded {
    std::vector<double> local, exact;
    bool through_bits = false;  ///< the values went through integer arithmetic on their bits
  };
  /// Values that a call computes for one tensor, which the call writes or returns.
  struct PendingResult {
    at::Tensor target{};           ///< the written tensor; undefined for a returned one
    std::vector<double> before{};  ///< the program's values of the target before the call
    Unrounded next{};
    bool begins_anew = false;  ///< the call overwrites the target with values that are not followed
    std::vector<FollowedTensors::Pointer> ancestors{};
    DriftRole role = DriftRole::Tensor;
    std::string parameter{};
  };
  /// Carries state from begin() to after().
  struct PendingCall {
    std::vector<PendingResult> results{};  ///< in the order of the call's results
    at::Tensor bits{};                     ///< an argument that is an integer view of a followed tensor

    bool is_empty() const { return results.empty() && !bits.defined(); }
  };

  /// Computes a call's results in FP64 before it runs.
  PendingCall begin(const CallContext& call);
  void after(const CallContext& call, const PendingCall& pending);

  /// Returns a row for each tensor, and stops following. Adds notes on tensors that could not be followed.
  std::vector<Drift> rows(MissingNotes& missing);

 private:
  struct Values;

  void see_segment(const CallContext& call);
  std::optional<PendingResult> result_of(const CallContext& call, const ElementwiseCall& one);
  std::optional<Values> values_of(const ElementwiseCall& call, at::IntArrayRef sizes);
  Unrounded unrounded(const at::Tensor& tensor, std::vector<double> run);
  void name(PendingResult& result, const CallContext& call, const ElementwiseCall& one);
  std::vector<FollowedTensors::Pointer> ancestors_of(const ElementwiseCall& one) const;
  at::Tensor followed_bits(const CallContext& call) const;

  drift::Write write_of(const CallContext& call, const PendingResult& pending, std::span<const double> run) const;
  void put_write(const CallContext& call, const PendingResult& pending);
  void put_result(const CallContext& call, const PendingResult& pending, const at::Tensor& result);
  void put_bits(const CallContext& call, const at::Tensor& bits, std::span<const at::Tensor> results);

  ParameterFacts& parameters_;
  std::mutex mutex_;
  FollowedTensors tensors_;
  /// Number of the current segment. A segment is a backward pass, the code between two passes, or in inference a call
  /// of a module.
  std::int64_t segment_ = 0;
  std::int64_t recorded_segment_ = 0;
  bool has_backward_ = false;
  bool in_backward_ = false;
  bool writes_on_gpu_ = false;  ///< update code has written a tensor on a GPU
};

}  // namespace ampprof::profiler
