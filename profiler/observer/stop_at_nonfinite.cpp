// SPDX-License-Identifier: Apache-2.0
#include "profiler/observer/stop_at_nonfinite.h"

#include <ATen/ATen.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "precision/tensors/observer_disabled_guard.h"
#include "precision/tensors/plain_memory.h"
#include "profiler/calls/thread_state.h"
#include "profiler/observer/session_core.h"

namespace ampprof::profiler {
namespace {

/// Returns whether all values are finite. A finite sum proves that, but a sum may overflow although all values are
/// finite.
bool is_finite(const at::Tensor& tensor) {
  const bool may_be_read = tensor.defined() && tensors::has_plain_memory(tensor) && tensor.is_floating_point();
  if (!may_be_read || std::isfinite(tensor.sum(at::kFloat).item<float>())) return true;
  return at::isfinite(tensor).all().item<bool>();
}

}  // namespace

void stop_at_nonfinite(SessionCore& core, const std::vector<GradientLeaves::Identity>& written) {
  std::string names;
  long long step = 0;
  {
    const Locked state = core.lock();
    const OverheadTime overhead(core.clock);
    const tensors::ObserverDisabledGuard guard;
    const at::NoGradGuard no_grad;
    TrainingLoop& loop = state->loops.of(ThreadState::current());
    step = loop.steps.current().step;
    for (const GradientLeaves::Identity memory : written) {
      const at::Tensor weight = loop.leaves.tensor_in(memory);
      if (is_finite(weight)) continue;
      const std::string* name = state->scopes.modules.name_of(weight.unsafeGetTensorImpl());
      names += (names.empty() ? "" : ", ") + (name == nullptr ? std::string("a weight without a name") : *name);
    }
  }
  if (names.empty()) return;
  std::fprintf(stderr, "ampprof: stopped in step %lld, whose update wrote NaN or inf to %s (--stop-on %s)\n", step,
               names.c_str(), recording::kNonfiniteUpdate);
  std::exit(recording::kStopped);
}

}  // namespace ampprof::profiler
