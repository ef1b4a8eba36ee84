// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <torch/csrc/distributed/c10d/comm.hpp>
#include <utility>

namespace amp::parallel {

/// How gradients of the ranks become one, as Apex does it: each is divided by `predivide_factor`, they are summed, and
/// the sum is multiplied by `predivide_factor / world size` where it is to be the mean. So a predivide factor between 1
/// and the world size keeps a sum in FP16 from overflowing and small gradients from underflow.
struct Averaging {
  bool in_fp32 = false;  ///< summed in FP32, whatever type gradients have
  bool is_mean = true;   ///< else the sum, divided by the predivide factor alone
  double predivide_factor = 1.0;
};

/// Returns what is to be summed: the gradient, divided in place, or a copy of it where its type changes.
at::Tensor before_sum(const at::Tensor& gradient, const Averaging& averaging);

/// Makes a sum the mean, where it is to be one, in place.
void after_sum(at::Tensor& sum, const Averaging& averaging, int world_size);

/// Averages the buckets of c10d's reducer so. The sum runs beside backward; what comes after it is done by backward's
/// thread, when it waits for it.
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
      types_;  ///< of buckets that are being summed, in their order, which is also that of the results
};

}  // namespace amp::parallel
