// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "precision/formats/recipes/recipe.h"
#include "precision/replay/attention/kernels.h"
#include "profiler/gradient_impact/gradient_replay.h"
#include "profiler/recipes/attention_products.h"
#include "profiler/recipes/gradient_product.h"
#include "profiler/recipes/layer_call.h"
#include "profiler/torch_hooks/cotangents.h"
#include "profiler/torch_hooks/leaf_calls.h"
#include "profiler/torch_hooks/torch_state.h"

namespace ampprof::profiler {

/// Observes the layers of a forward pass. Replaces their dgrad and wgrad by products of rounded operands, or records
/// these products in a step.
class RecipeBackward final : public LeafObserver {
 public:
  explicit RecipeBackward(const char* recipe) : recipe_(recipes::recipe_named(recipe)), products_({recipe}) {}

  std::unique_ptr<LeafCall> before(const c10::OperatorHandle& op, const torch::jit::Stack& stack) override {
    const std::string& name = op.operator_name().name;
    if (!is_layer_op(name) && !attention::is_fused_attention(name)) return nullptr;
    auto arguments = torch::jit::last(stack, op.schema().arguments().size()).vec();
    return when_leaf_ends([this, &op, arguments = std::move(arguments)](c10::ArrayRef<c10::IValue> results) {
      see(op, arguments, results);
    });
  }
  void failed(const c10::OperatorHandle& op, const std::string& why, c10::ArrayRef<c10::IValue>) override {
    TORCH_CHECK(false, op.operator_name().name, ": ", why);
  }

  void round(const c10::OperatorHandle& op, const std::vector<c10::IValue>& arguments,
             const std::vector<c10::IValue>& results, GradientReplay* step) {
    const void* const node = current_node();
    const auto layer = layers_.find(node);
    const std::string& name = op.operator_name().name;
    if (attention::is_backward_of_fused_attention(name))
      return round_attention(attentions_.at(node), arguments, results, step);
    if (layer == layers_.end() || !is_backward_of_layer_op(name)) return;
    const auto& [call, seen] = layer->second;
    for (const BackwardMatmul& one : backward_matmuls(name, arguments, results, seen)) {
      const products::ProductSettings settings{.second = seen.second, .random = {.stream = ++streams_}};
      if (step == nullptr) {
        const auto made = rounded_product(one.convolution, recipe_, one.matmul, one.grad_output, one.other, settings);
        one.output.copy_(one.result(made.values));
      } else {
        step->backward_matmul(node, {.call_site = 1}, gradient_product(call, recipe_, one.matmul, settings));
      }
    }
  }

 private:
  void see(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> arguments, c10::ArrayRef<c10::IValue> returned) {
    if (attention::is_fused_attention(op.operator_name().name)) {
      attentions_[node_of(returned[0].toTensor()).node] = {&op.schema(), arguments.vec()};
      return;
    }
    const auto call = LayerCall::of(op.operator_name().name, arguments);
    if (!call) return;
    layers_[node_of(returned[0].toTensor()).node] = {*call,
                                                     {.input = memory_of(arguments[call->input_at()].toTensor()),
                                                      .weight = memory_of(arguments[call->weight_at()].toTensor()),
                                                      .second = call->second()}};
  }

  struct Layer {
    LayerCall call;
    SeenLayer seen;
  };

  struct AttentionOfForward {
    const c10::FunctionSchema* schema = nullptr;
    std::vector<c10::IValue> arguments{};
  };

  void round_attention(const AttentionOfForward& forward, const std::vector<c10::IValue>& arguments,
                       const std::vector<c10::IValue>& results, GradientReplay* step) {
    const auto attention = attention::FusedAttention::of(*forward.schema, forward.arguments);
    std::vector<RecipeLayer> layers = attention_layers(products_, {}, *attention);
    for (RecipeLayer& layer : layers)
      layer.decisions = {{.is_quantized = true, .reason = ""}};  // quantizes all sizes, like the layers above
    RecipeFindings found;
    attention_backward_in_recipes(products_,
                                  {*attention,
                                   layers,
                                   *forward.schema,
                                   arguments[0].toTensor(),
                                   {results[0].toTensor(), results[1].toTensor(), results[2].toTensor()}},
                                  found);
    for (OutputPair& pair : found.pairs) {
      for (GradientProduct& product : pair.products) {
        if (step == nullptr) {  // copies each; the last product is the complete gradient
          pair.output.copy_(product.find(forward.arguments, arguments[0].toTensor()));
        } else {
          step->backward_matmul(current_node(), {.call_site = 1}, std::move(product));
        }
      }
    }
  }

  const recipes::Recipe recipe_;
  RecipeProducts products_;
  std::map<const void*, Layer> layers_;  ///< keyed by autograd node
  std::map<const void*, AttentionOfForward> attentions_;
  std::uint64_t streams_ = 0;
};

}  // namespace ampprof::profiler
