// SPDX-License-Identifier: Apache-2.0
#include "amp_core/parallel/averaging_hook.h"

#include <ATen/core/ivalue.h>

namespace amp::parallel {

at::Tensor before_sum(const at::Tensor& gradient, const Averaging& averaging) {
  at::Tensor summed = averaging.in_fp32 ? gradient.to(at::kFloat) : gradient;
  if (averaging.predivide_factor != 1.0) summed.div_(averaging.predivide_factor);
  return summed;
}

void after_sum(at::Tensor& sum, const Averaging& averaging, int world_size) {
  const double factor = averaging.predivide_factor / world_size;
  if (averaging.is_mean && factor != 1.0) sum.mul_(factor);
}

c10::intrusive_ptr<c10::ivalue::Future> AveragingHook::runHook(c10d::GradBucket& bucket) {
  if (bucket.getIndex() == 0) types_.clear();  // a pass that threw may have left types
  types_.push_back(bucket.getBuffer().scalar_type());
  std::vector<at::Tensor> summed{before_sum(bucket.getBuffer(), averaging_)};
  return group_->allreduce(summed)->getFuture();
}

at::Tensor AveragingHook::parseHookResult(const c10::IValue& result) {
  at::Tensor sum = c10d::detail::parseCppCommHookResult(result);
  after_sum(sum, averaging_, group_->getSize());
  const at::ScalarType type = types_.front();
  types_.pop_front();
  return sum.to(type);
}

}  // namespace amp::parallel
