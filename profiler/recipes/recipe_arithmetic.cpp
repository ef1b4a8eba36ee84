// SPDX-License-Identifier: Apache-2.0
#include "profiler/recipes/recipe_arithmetic.h"

#include <ATen/ATen.h>
#include <ATen/core/dispatch/Dispatcher.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <utility>

#include "precision/formats/products/convolution_product.h"
#include "precision/impact/difference.h"
#include "precision/replay/attention/fused_attention.h"
#include "precision/replay/attention/kernels.h"
#include "profiler/calls/take.h"
#include "profiler/recipes/attention_products.h"
#include "profiler/recipes/backward_override.h"
#include "profiler/recipes/gradient_product.h"
#include "profiler/recipes/layer_call.h"
#include "profiler/torch_hooks/cotangents.h"
#include "profiler/torch_hooks/torch_state.h"
#include "reports/records/matmul_op.h"

namespace ampprof::profiler {
namespace {

using attention::FusedAttention;
using attention::is_fused_attention;
using products::Second;
using MaybeConvolution = std::optional<products::ConvolutionMatrices>;

std::string_view name_of(const c10::OperatorHandle& op) { return op.operator_name().name; }

/// A forward call with layers, kept until the backward evaluates its node.
struct Seen {
  SeenLayer layer{};
  std::optional<LayerCall> call{};                 ///< empty for fused attention
  const c10::FunctionSchema* attention = nullptr;  ///< schema of the forward of fused attention; else null
  NodeNumber node{};
  std::int64_t segment = 0;
  std::int64_t call_site = 0;
  std::vector<RecipeLayer> layers{};
};

/// A forward call with layers that is in progress on this thread.
struct ForwardCall {
  const RecipeArithmetic* arithmetic = nullptr;
  at::Tensor output{};
  Seen seen{};
  RecipeFindings findings{};
};
thread_local std::vector<ForwardCall> t_forward;
thread_local LayerPlace t_place;
thread_local Phase t_phase = Phase::Forward;
thread_local bool t_is_recurrent = false;

bool is_shorter_than_float(const at::Tensor& tensor) {
  return tensor.scalar_type() != at::kFloat && tensor.scalar_type() != at::kDouble;
}

/// Returns how many products of equal sizes a call computes.
std::int64_t groups_of(const LayerCall& call, const at::Tensor& weight) {
  if (call.convolution()) return call.convolution()->convolution().groups;
  return weight.dim() > 2 ? weight.size(0) : 1;
}

at::Tensor exact_product(const MaybeConvolution& convolution, Matmul matmul, const at::Tensor& first,
                         const at::Tensor& second) {
  if (!convolution) return products::exact_product(matmul, first, second, at::kFloat);
  return products::exact_convolution_product(*convolution, matmul, first, second, at::kFloat);
}

void put_place(std::vector<RecipeRow>& rows, std::int64_t segment, std::int64_t call_site, std::int64_t computed_by) {
  for (RecipeRow& row : rows) {
    row.row.segment = segment;
    row.row.call_site = call_site;
    row.row.computed_by = computed_by;
  }
}

/// Replaces `output`, an exact result in the replay of the step, by `low`. Copies `low` if it is read later, since the
/// replay may overwrite its output.
void replace_with(at::Tensor& output, const at::Tensor& low, bool is_read_later) {
  output = low.to(output.scalar_type(), /*non_blocking=*/false, /*copy=*/is_read_later);
}

}  // namespace

struct RecipeArithmetic::State {
  explicit State(const std::vector<std::string>& recipes) : products(recipes) {}

  void remember(Seen seen);
  bool find_running(Seen& seen);

  RecipeProducts products;
  std::mutex mutex;
  std::unordered_map<const void*, Seen> calls;  ///< keyed by autograd node
  std::int64_t last_segment = -1;
};

RecipeArithmetic::RecipeArithmetic(at::ScalarType precision, const std::vector<std::string>& recipes, bool has_step)
    : Exact(precision), has_step_(has_step), state_(std::make_unique<State>(recipes)) {}

RecipeArithmetic::~RecipeArithmetic() = default;

void RecipeArithmetic::begin(const CallContext& call) {
  t_forward.clear();
  t_phase = call.phase;
  t_place = {call.place.module, call.info.id};
  t_is_recurrent = is_recurrent(call.info.name);
}

bool RecipeArithmetic::computes(const c10::OperatorHandle& op) const {
  if (t_phase == Phase::Optimizer) return false;
  if (t_phase == Phase::Backward) return has_step_ && overrides_backward(op);
  return is_layer_op(name_of(op)) || is_fused_attention(name_of(op));
}

void RecipeArithmetic::compute(const reference::ReplayedCall& call, std::vector<at::Tensor>& outputs) {
  if (t_phase == Phase::Backward) return override_backward(call, outputs);
  if (outputs.empty()) return;
  if (is_fused_attention(name_of(call.op))) return compute_attention(call, outputs);
  const auto layer = LayerCall::of(name_of(call.op), call.arguments);
  if (layer && outputs[0].defined()) compute_layer(call, *layer, outputs[0]);
}

/// Makes rows also for layers that a recipe skips, since the report gives the reason. Ignores FP64, which no recipe
/// rounds.
void RecipeArithmetic::compute_layer(const reference::ReplayedCall& replayed, const LayerCall& call,
                                     at::Tensor& output) {
  const auto& [op, arguments, counterparts, returned] = replayed;
  const at::Tensor& own_input = arguments[call.input_at()].toTensor();
  const at::Tensor& own_weight = arguments[call.weight_at()].toTensor();
  if (own_input.scalar_type() == at::kDouble) return;
  const at::Tensor& argument = counterparts[call.input_at()].toTensor();
  const at::Tensor weight = call.weight(counterparts[call.weight_at()].toTensor());
  const at::Tensor input = call.input(argument);
  RecipeProducts& products = state_->products;
  RecipeLayer layer =
      products.decided({.place = t_place,
                        .sizes = call.convolution() ? call.convolution()->sizes() : products::sizes_of(input, weight),
                        .groups = groups_of(call, weight),
                        .second = call.second()});
  if (t_is_recurrent) layer.leave("Stays BF16: it is inside a recurrent network, which no recipe supports.");
  ForwardCall found{.arithmetic = this, .output = returned[0].toTensor()};
  // The node saves each operand for the gradient of the other. The memory of an operand that is not saved may be reused
  // for another tensor.
  found.seen = {.layer = {.input = own_weight.requires_grad() ? memory_of(own_input) : nullptr,
                          .weight = own_input.requires_grad() ? memory_of(own_weight) : nullptr,
                          .second = call.second()},
                .call = call,
                .layers = {layer}};
  at::Tensor exact = output;
  if (layer.is_quantized_by_any() && is_shorter_than_float(exact)) {
    exact = call.result(exact_product(call.convolution(), Matmul::Fprop, input, weight), counterparts);
  }
  const ProductOf of{Matmul::Fprop, input, weight, layer, call.convolution()};
  for (std::size_t i = 0; i < products.size(); ++i) {
    RecipeRow& row = found.findings.rows.emplace_back(products.row(i, of.matmul, layer));
    if (!row.row.is_quantized) continue;
    const products::RoundedProduct made = products.product(i, of, products.settings(i, of), row);
    const at::Tensor low = call.result(made.values, counterparts);
    auto measured = row.put_lengths(low, exact);
    if (i > 0 || !has_step_) continue;
    OutputPair pair{.output = found.output, .low = low, .high = exact, .matmul = Matmul::Fprop};
    // Computed now, because in a composite op the next op may overwrite the result: attention adds its mask in place.
    pair.difference = impact::difference(low, exact);
    const bool is_read_later = !measured.has_value();
    pair.measured = std::move(measured);
    if (made.first.defined() && own_input.requires_grad() && own_weight.requires_grad()) {
      pair.rounded.push_back({own_input, rounding_of(call.as_input(made.first), argument), false});
      pair.rounded.push_back({own_weight,
                              rounding_of(call.as_weight(made.second), counterparts[call.weight_at()].toTensor()),
                              call.second() == Second::Weight});
    }
    found.findings.pairs.push_back(std::move(pair));
    replace_with(output, low, is_read_later);
  }
  t_forward.push_back(std::move(found));
}

void RecipeArithmetic::compute_attention(const reference::ReplayedCall& replayed, std::vector<at::Tensor>& outputs) {
  const auto& [op, arguments, counterparts, returned] = replayed;
  const auto attention = FusedAttention::of(op.schema(), counterparts);
  if (!attention || arguments[attention::kQuery].toTensor().scalar_type() == at::kDouble) return;
  RecipeProducts& products = state_->products;
  ForwardCall found{.arithmetic = this, .output = returned[0].toTensor()};
  found.seen = {.attention = &op.schema(), .layers = attention_layers(products, t_place, *attention)};
  AttentionCall call{.on = *attention,
                     .layers = found.seen.layers,
                     .query = arguments[attention::kQuery].toTensor(),
                     .key = arguments[attention::kKey].toTensor(),
                     .output = found.output,
                     .exact = outputs[0]};
  const bool any_quantized = std::ranges::any_of(call.layers, &RecipeLayer::is_quantized_by_any);
  if (any_quantized && is_shorter_than_float(call.exact)) {
    call.exact = attention->output(attention::multiply_exactly);
  }
  const at::Tensor low = attention_in_recipes(products, call, found.findings);
  if (!has_step_) found.findings.pairs.clear();
  if (has_step_ && low.defined()) replace_with(outputs[0], low, /*is_read_later=*/true);
  t_forward.push_back(std::move(found));
}

RecipeFindings RecipeArithmetic::forward_ended(const Call& call) {
  RecipeFindings findings;
  for (ForwardCall& found : take(t_forward, [&](const ForwardCall& one) { return one.arithmetic == this; })) {
    Seen& seen = found.seen;
    seen.segment = call.record.segment;
    seen.call_site = call.place.error_site;
    put_place(found.findings.rows, seen.segment, seen.call_site, seen.call_site);
    std::ranges::move(found.findings.rows, std::back_inserter(findings.rows));
    std::ranges::move(found.findings.pairs, std::back_inserter(findings.pairs));
    seen.node = node_of(found.output);
    if (seen.node.node != nullptr) state_->remember(std::move(seen));
  }
  return findings;
}

/// Keeps calls of this segment and of the previous one, since a backward runs in the segment of its forward or in the
/// one after.
void RecipeArithmetic::State::remember(Seen seen) {
  const std::lock_guard lock(mutex);
  if (seen.segment != last_segment) {
    std::erase_if(calls, [&](const auto& known) { return known.second.segment != last_segment; });
    last_segment = seen.segment;
  }
  const void* const node = seen.node.node;
  calls.insert_or_assign(node, std::move(seen));
}

/// Copies to `seen` the call whose node this thread is evaluating. Returns false if there is no such call.
bool RecipeArithmetic::State::find_running(Seen& seen) {
  const void* const node = current_node();
  if (node == nullptr) return false;
  const NodeNumber running{node, backward_sequence_number(), backward_forward_thread()};
  const std::lock_guard lock(mutex);
  const auto found = calls.find(node);
  if (found == calls.end() || found->second.node != running) return false;
  seen = found->second;
  return true;
}

RecipeFindings RecipeArithmetic::backward_ended(const Call& call) {
  Seen seen;
  RecipeFindings findings;
  const std::string_view op = name_of(call.op);
  const bool is_attention = attention::is_backward_of_fused_attention(op);
  if ((!is_attention && !is_backward_of_layer_op(op)) || !state_->find_running(seen)) return findings;
  if (is_attention && seen.attention != nullptr) {
    attention_backward(call, *seen.attention, seen.layers, findings);
  } else if (seen.call) {
    for (const BackwardMatmul& matmul : backward_matmuls(op, call.saved.arguments, call.results(), seen.layer)) {
      layer_backward(matmul, *seen.call, seen.layers.front(), findings);
    }
  }
  if (!has_step_) findings.pairs.clear();
  put_place(findings.rows, call.record.segment, seen.call_site, call.record.call_site);
  return findings;
}

void RecipeArithmetic::layer_backward(const BackwardMatmul& matmul, const LayerCall& call, const RecipeLayer& layer,
                                      RecipeFindings& findings) {
  RecipeProducts& products = state_->products;
  at::Tensor exact = matmul.output;
  if (layer.is_quantized_by_any() && exact.scalar_type() != at::kFloat) {
    exact = matmul.result(exact_product(matmul.convolution, matmul.matmul, matmul.grad_output, matmul.other));
  }
  const ProductOf of{matmul.matmul, matmul.grad_output, matmul.other, layer, matmul.convolution};
  for (std::size_t i = 0; i < products.size(); ++i) {
    RecipeRow& row = findings.rows.emplace_back(products.row(i, matmul.matmul, layer));
    if (!row.row.is_quantized) continue;
    const products::ProductSettings settings = products.settings(i, of);
    const at::Tensor low = matmul.result(products.product(i, of, settings, row).values);
    auto measured = row.put_lengths(low, exact);
    if (i > 0) continue;
    findings.pairs.push_back({.output = matmul.output,
                              .low = low,
                              .high = exact,
                              .matmul = row.row.matmul,
                              .measured = std::move(measured),
                              .products = {gradient_product(call, products.recipe(i), matmul.matmul, settings)}});
  }
}

void RecipeArithmetic::attention_backward(const Call& call, const c10::FunctionSchema& forward,
                                          const std::vector<RecipeLayer>& layers, RecipeFindings& findings) {
  const auto attention = FusedAttention::of(call.op.schema(), call.saved.arguments);
  if (!attention) return;
  AttentionGradients gradients{.on = *attention,
                               .layers = layers,
                               .schema = forward,
                               .of_output = call.saved.arguments[attention::kGradOutput].toTensor()};
  for (std::size_t i = 0; i < gradients.gradients.size(); ++i) {
    const c10::IValue& result = call.results()[i];
    if (result.isTensor()) gradients.gradients[i] = result.toTensor();
  }
  attention_backward_in_recipes(state_->products, gradients, findings);
}

}  // namespace ampprof::profiler
