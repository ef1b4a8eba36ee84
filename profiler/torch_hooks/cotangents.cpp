// SPDX-License-Identifier: Apache-2.0
#include "profiler/torch_hooks/cotangents.h"

#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/function_hook.h>
#include <torch/csrc/autograd/functions/accumulate_grad.h>
#include <torch/csrc/autograd/variable.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

namespace ampprof::profiler {
namespace {

using torch::autograd::Node;

constexpr std::uint64_t kNumberOfAccumulate = UINT64_MAX;

using torch::autograd::variable_list;

/// A hook that runs after a node, with the node's outputs and incoming gradients. The hook's result replaces the
/// outputs.
class PostHook : public torch::autograd::FunctionPostHook {
 public:
  using Run = std::function<variable_list(const variable_list& outputs, const variable_list& gradients)>;

  explicit PostHook(Run run) : run_(std::move(run)) {}

  variable_list operator()(const variable_list& outputs, const variable_list& gradients) override {
    return run_(outputs, gradients);
  }

  /// Does nothing, so that a compiled backward runs without the hook.
  void compiled_args(torch::dynamo::autograd::CompiledNodeArgs&) const override {}

 private:
  Run run_;
};

const c10::TensorImpl* leaf_of(const Node& node) {
  if (node.sequence_nr() != kNumberOfAccumulate) return nullptr;
  const auto* accumulate = dynamic_cast<const torch::autograd::AccumulateGrad*>(&node);
  return accumulate == nullptr ? nullptr : accumulate->variable.unsafeGetTensorImpl();
}

}  // namespace

NodeNumber node_of(const at::Tensor& tensor) {
  const auto& node = tensor.grad_fn();
  if (node == nullptr) return {};
  return {node.get(), node->sequence_nr(), node->thread_id()};
}

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

bool go_through(GraphPlace& place, at::Tensor& error) {
  if (place.node == nullptr || place.leaf != nullptr) return false;
  const std::string name = static_cast<const Node*>(place.node)->name();
  const bool lays_out = name == "ViewBackward0" || name == "UnsafeViewBackward0" || name == "ReshapeAliasBackward0";
  if (!lays_out && name != "TBackward0" && name != "ToCopyBackward0") return false;
  const GraphPlace next = next_place(place.node, 0);
  if (next.node == nullptr) return false;
  if (error.defined() && name == "TBackward0") error = error.t();
  if (error.defined() && lays_out) {
    const auto& metadata = static_cast<const Node*>(next.node)->input_metadata(next.output);
    error = error.reshape_symint(metadata.shape_as_dim_vector());
  }
  place = next;
  return true;
}

std::vector<const void*> nodes_behind(const at::Tensor& result, std::uint64_t first_node) {
  std::vector<const void*> found;
  if (!result.requires_grad() || result.is_leaf()) return found;
  const Node* root = result.grad_fn().get();
  const auto is_of_call = [&](const Node* node) {
    return node != nullptr && node->thread_id() == root->thread_id() && node->sequence_nr() >= first_node &&
           node->sequence_nr() != kNumberOfAccumulate && std::ranges::find(found, node) == found.end();
  };
  if (is_of_call(root)) found.push_back(root);
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (const torch::autograd::Edge& edge : static_cast<const Node*>(found[i])->next_edges()) {
      if (is_of_call(edge.function.get())) found.push_back(edge.function.get());
    }
  }
  return found;
}

void when_node_ends(const void* node, NodeEnded ended) {
  auto* watched = const_cast<Node*>(static_cast<const Node*>(node));
  watched->add_post_hook(std::make_unique<PostHook>(
      // The node owns this hook, so `watched` is alive.
      [watched, ended = std::move(ended)](const variable_list& outputs, const variable_list&) {
        ended(watched, outputs);
        return outputs;
      }));
}

void replace_output(const at::Tensor& result, std::size_t i, OtherOutput other) {
  const auto& node = result.grad_fn();
  if (!node) return;
  node->add_post_hook(std::make_unique<PostHook>(
      [i, other = std::move(other)](const variable_list& outputs, const variable_list& gradients) {
        variable_list replaced = outputs;
        if (i < replaced.size() && replaced[i].defined() && gradients.front().defined()) {
          replaced[i] = other(gradients.front(), replaced[i]);
        }
        return replaced;
      }));
}

}  // namespace ampprof::profiler
