// SPDX-License-Identifier: Apache-2.0
#include "profiler/torch_hooks/backward_pass.h"

#include <torch/csrc/autograd/edge.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/functions/accumulate_grad.h>

#include <unordered_set>

namespace ampprof::profiler {

const BackwardPass* current_pass() {
  return static_cast<const BackwardPass*>(c10::ThreadLocalDebugInfo::get(PassScope::kind()));
}

std::vector<at::Tensor> outputs_of_function(const void* outputs) {
  std::vector<at::Tensor> tensors;
  for (const auto& output : *static_cast<const std::vector<std::optional<at::Tensor>>*>(outputs)) {
    if (output) tensors.push_back(*output);
  }
  return tensors;
}

std::vector<const c10::TensorImpl*> leaves_below(const std::vector<BackwardRoot>& roots) {
  std::vector<const c10::TensorImpl*> leaves;
  std::vector<const torch::autograd::Node*> open;
  std::unordered_set<const torch::autograd::Node*> seen;
  for (const BackwardRoot& root : roots) open.push_back(static_cast<const torch::autograd::Node*>(root.node));
  while (!open.empty()) {
    const torch::autograd::Node* node = open.back();
    open.pop_back();
    if (!seen.insert(node).second) continue;
    if (const auto* leaf = dynamic_cast<const torch::autograd::AccumulateGrad*>(node)) {
      leaves.push_back(leaf->variable.unsafeGetTensorImpl());
    }
    for (const torch::autograd::Edge& edge : node->next_edges()) {
      if (edge.function != nullptr) open.push_back(edge.function.get());
    }
  }
  return leaves;
}

std::vector<BackwardRoot> roots_of(const void* edge_list) {
  std::vector<BackwardRoot> roots;
  for (const torch::autograd::Edge& edge : *static_cast<const torch::autograd::edge_list*>(edge_list)) {
    if (edge.function == nullptr) continue;
    roots.push_back({edge.function.get(), edge.input_nr, edge.function->sequence_nr()});
  }
  return roots;
}

}  // namespace ampprof::profiler
