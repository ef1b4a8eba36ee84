// SPDX-License-Identifier: Apache-2.0
#include "profiler/stages/stage_context.h"

#include <ATen/core/Tensor.h>

#include "precision/tensors/device_results.h"
#include "profiler/gradient_impact/taped_steps.h"
#include "reports/recording/options.h"

namespace ampprof::profiler {

tensors::DeviceResults* StageContext::results_of(const at::Tensor& tensor) const {
  const bool is_later =
      tensors::DeviceResults::serves(tensor) || (options.pending_on_cpu && tensor.defined() && tensor.is_cpu());
  return is_later ? &results : nullptr;
}

bool StageContext::measures_all_outputs() const {
  return recipes == nullptr || taped_steps == nullptr || taped_steps->current() != nullptr;
}

}  // namespace ampprof::profiler
