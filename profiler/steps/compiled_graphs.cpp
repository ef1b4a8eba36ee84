// SPDX-License-Identifier: Apache-2.0
#include "profiler/steps/compiled_graphs.h"

#include <cmath>
#include <string>

namespace ampprof::profiler {

void CompiledGraphs::OnThread::begin(std::int64_t now_ns, std::int64_t seen_ns) {
  if (is_inside()) return;
  begun_ns = now_ns;
  seen_before_ns = seen_ns;
}

void CompiledGraphs::end(OnThread& thread, std::int64_t now_ns, std::int64_t seen_ns) {
  if (!thread.is_inside()) return;
  ++graphs_;
  unseen_ns_ += (now_ns - thread.begun_ns) - (seen_ns - thread.seen_before_ns);
  thread.begun_ns = -1;
}

std::optional<Missing> CompiledGraphs::missing() const {
  if (graphs_ == 0) return std::nullopt;
  const double share = substeps_ns_ > 0 ? static_cast<double>(unseen_ns_) / static_cast<double>(substeps_ns_) : 0.0;
  return Missing{.what = "ops inside torch.compile",
                 .count = graphs_,
                 .cause = "compiled graphs took " + std::to_string(std::lround(100 * share)) +
                          "% of the steps' time in forward, outside of op calls",
                 .remedy = "TORCH_COMPILE_DISABLE=1 runs the program uncompiled, with all of its ops"};
}

}  // namespace ampprof::profiler
