// SPDX-License-Identifier: Apache-2.0
#include "profiler/torch_hooks/cotangents.h"

#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/function_hook.h>
#include <torch/csrc/autograd/functions/accumulate_grad.h>
#include <torch/csrc/autograd/variable.h>

#include <memory>
#include <utility>

namespace ampprof::profiler {
namespace {

using torch::autograd::Node;

constexpr std::uint64_t kNumberOfAccumulate = UINT64_MAX;

class EndHook : public torch::autograd::FunctionPostHook {
 public:
  EndHook(const Node* node, NodeEnded ended) : node_(node), ended_(std::move(ended)) {}

  torch::autograd::variable_list operator()(const torch::autograd::variable_list& outputs,
                                            const torch::autograd::variable_list&) override {
    ended_(node_, outputs);
    return outputs;
  }

  /// A compiled backward runs without it.
  void compiled_args(torch::dynamo::autograd::CompiledNodeArgs&) const override {}

 private:
  const Node* node_;  ///< owns this
  NodeEnded ended_;
};

const c10::TensorImpl* leaf_of(const Node& node) {
  if (node.sequence_nr() != kNumberOfAccumulate) return nullptr;
  const auto* accumulate = dynamic_cast<const torch::autograd::AccumulateGrad*>(&node);
  return accumulate == nullptr ? nullptr : accumulate->variable.unsafeGetTensorImpl();
}

}  // namespace

GraphPlace place_in_graph(const at::Tensor& tensor) {
  if (!tensor.requires_grad() || tensor.is_leaf()) return {};
  return {tensor.grad_fn().get(), static_cast<std::uint32_t>(tensor.output_nr())};
}

GraphPlace next_place(const void* node, std::size_t i) {
  const auto& from = *static_cast<const Node*>(node);
  if (i >= from.num_outputs() || from.next_edge(i).function == nullptr) return {};
  const torch::autograd::Edge& edge = from.next_edge(i);
  return {edge.function.get(), edge.input_nr, leaf_of(*edge.function)};
}

GraphPlace accumulated_place(const void* node) {
  return {node, 0, node == nullptr ? nullptr : leaf_of(*static_cast<const Node*>(node))};
}

void when_node_ends(const at::Tensor& tensor, NodeEnded ended) {
  const std::shared_ptr<Node>& node = tensor.grad_fn();
  if (node != nullptr) node->add_post_hook(std::make_unique<EndHook>(node.get(), std::move(ended)));
}

}  // namespace ampprof::profiler
