// SPDX-License-Identifier: Apache-2.0
#include "profiler/stages/stage_context.h"

#include <ATen/core/Tensor.h>

#include "precision/tensors/deferred_reductions.h"
#include "profiler/gradient_impact/gradient_replays.h"
#include "reports/recording/options.h"

namespace ampprof::profiler {

tensors::DeferredReductions* StageContext::results_of(const at::Tensor& tensor) const {
  const bool is_later =
      tensors::DeferredReductions::serves(tensor) || (options.pending_on_cpu && tensor.defined() && tensor.is_cpu());
  return is_later ? &results : nullptr;
}

bool StageContext::measures_all_outputs() const {
  return recipes == nullptr || gradient_replays == nullptr || gradient_replays->current() != nullptr;
}

}  // namespace ampprof::profiler
