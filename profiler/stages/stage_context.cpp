// SPDX-License-Identifier: Apache-2.0
#include "profiler/stages/stage_context.h"

#include <ATen/core/Tensor.h>

#include "precision/tensors/device_results.h"
#include "reports/recording/options.h"

namespace ampprof::profiler {

tensors::DeviceResults* StageContext::results_of(const at::Tensor& tensor) const {
  const bool is_later =
      tensors::DeviceResults::serves(tensor) || (options.pending_on_cpu && tensor.defined() && tensor.is_cpu());
  return is_later ? &results : nullptr;
}

}  // namespace ampprof::profiler
