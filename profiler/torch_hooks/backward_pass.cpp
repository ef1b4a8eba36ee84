// SPDX-License-Identifier: Apache-2.0
#include "profiler/torch_hooks/backward_pass.h"

#include <torch/csrc/autograd/edge.h>
#include <torch/csrc/autograd/function.h>

namespace ampprof::profiler {

const BackwardPass* current_pass() {
  return static_cast<const BackwardPass*>(c10::ThreadLocalDebugInfo::get(PassScope::kKind));
}

std::optional<std::uint64_t> root_of(const void* edge_list) {
  const auto& roots = *static_cast<const torch::autograd::edge_list*>(edge_list);
  if (roots.empty() || roots.front().function == nullptr) return std::nullopt;
  return roots.front().function->sequence_nr();
}

}  // namespace ampprof::profiler
