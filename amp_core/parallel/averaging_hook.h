// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <torch/csrc/distributed/c10d/comm.hpp>
#include <utility>

namespace amp::parallel {

/// Defines how the ranks' gradients are combined, as in Apex: each gradient is divided by `predivide_factor`, the
/// gradients are summed, and for the mean the sum is multiplied by `predivide_factor / world size`. A predivide factor
/// between 1 and the world size keeps a sum in FP16 from overflowing and small gradients from underflowing.
struct Averaging {
  bool in_fp32 = false;  ///< sums in FP32 for any gradient type
  bool is_mean = true;   ///< false: gradients stay sums, divided only by the predivide factor
  double predivide_factor = 1.0;
};

/// Returns the tensor to sum: the gradient, divided in place, or a copy if its type changes.
at::Tensor before_sum(const at::Tensor& gradient, const Averaging& averaging);

/// Turns a sum into the mean, in place, if `averaging.is_mean`.
void after_sum(at::Tensor& sum, const Averaging& averaging, int world_size);

/// Averages the buckets of c10d's reducer as Averaging describes. The sum runs in parallel with backward. Backward's
/// thread waits for the sum, and then calls after_sum().
class AveragingHook : public c10d::CommHookInterface {
 public:
  AveragingHook(c10::intrusive_ptr<c10d::ProcessGroup> group, Averaging averaging)
      : group_(std::move(group)), averaging_(averaging) {}

  c10::intrusive_ptr<c10::ivalue::Future> runHook(c10d::GradBucket& bucket) override;
  at::Tensor parseHookResult(const c10::IValue& result) override;

 private:
  c10::intrusive_ptr<c10d::ProcessGroup> group_;
  Averaging averaging_;
  std::deque<at::ScalarType>
      types_;  ///< original types of the buckets being summed; their results come in the same order
};

}  // namespace amp::parallel
