// SPDX-License-Identifier: Apache-2.0
#include "profiler/recipes/recipe_course.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <deque>
#include <iterator>
#include <map>
#include <mutex>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "amp_core/recipes/convolution_product.h"
#include "precision/impact/difference.h"
#include "precision/recipes/layer.h"
#include "precision/recipes/recipe.h"
#include "precision/recipes/recipe_file.h"
#include "precision/tensors/length.h"
#include "precision/tensors/line_up.h"
#include "precision/tensors/measure.h"
#include "precision/tensors/observer_disabled_guard.h"
#include "precision/tensors/plain_memory.h"
#include "profiler/calls/take.h"
#include "profiler/recipes/gradient_product.h"
#include "profiler/recipes/layer_call.h"
#include "profiler/torch_hooks/cotangents.h"
#include "profiler/torch_hooks/torch_state.h"

namespace ampprof::profiler {
namespace {

namespace amp_recipes = amp::recipes;

Matmul recorded(ProductMatmul matmul) {
  switch (matmul) {
    case ProductMatmul::Fprop:
      return Matmul::Fprop;
    case ProductMatmul::Dgrad:
      return Matmul::Dgrad;
    case ProductMatmul::Wgrad:
      return Matmul::Wgrad;
  }
  return Matmul::None;
}

OperandLoss loss_of(const amp_recipes::OperandLosses& losses) {
  const quantize::OperandStatistics total = losses.total();
  return {.count = total.count,
          .nonfinite = total.nonfinite,
          .flushed = total.flushed,
          .saturated = total.saturated,
          .amax = total.amax,
          .sum_sq = total.sum_sq,
          .sum_sq_error = total.sum_sq_error};
}

double squared(const at::Tensor& length) {
  const double value = length.item<double>();
  return value * value;
}

std::string_view name_of(const c10::OperatorHandle& op) { return op.operator_name().name; }

/// Where a program computes: ids of the module's path and of the op.
struct CallPlace {
  std::int32_t module = 0;
  std::int32_t op = 0;
};

/// A layer's call, until its node is evaluated.
struct Seen {
  SeenLayer layer{};
  LayerCall call{};
  NodeNumber node{};
  std::int64_t substep = 0;
  std::int64_t call_site = 0;
  CallPlace place{};
  std::int64_t groups = 1;
  std::vector<recipes::Decision> decisions{};  ///< by recipe
  recipes::LayerSizes sizes{};
};

/// Names the operand that a delayed scale is of, as amp_core does, which knows of no call sites: recipe, module, op,
/// rows, columns, matmul, operand.
using AmaxPlace = std::tuple<std::size_t, std::int32_t, std::int32_t, std::int64_t, std::int64_t, ProductMatmul, int>;

/// A layer's call of the forward that runs on this thread.
struct ForwardCall {
  const RecipeCourse* course = nullptr;
  at::Tensor output{};
  LayerCall call;
  std::vector<RecipeRow> rows{};
  std::vector<ComparedOutput> compared{};
  recipes::LayerSizes sizes{};
  std::int64_t groups = 1;
  std::vector<recipes::Decision> decisions{};
  SeenLayer layer{};
};
thread_local std::vector<ForwardCall> t_forward;
thread_local CallPlace t_place;

/// Returns what both were measured to be, on the CPU: in one pass that needs no memory.
std::optional<error::OutputStatistics> put_lengths(RecipeRow& row, const at::Tensor& low, const at::Tensor& exact) {
  if (exact.is_cpu()) {
    const error::OutputStatistics measured = tensors::measure(low, exact);
    if (!measured.local) return std::nullopt;
    row.row.sum_sq_error = measured.local->sum_sq_error;
    row.row.sum_sq_exact = measured.local->sum_sq_reference;
    return measured;
  }
  row.error = tensors::length_of(at::sub(low, exact));
  row.exact = tensors::length_of(exact);
  row.on_device = true;
  return std::nullopt;
}

/// In the order of the operand, which its gradient will have.
at::Tensor rounding(const at::Tensor& rounded, const at::Tensor& exact) {
  if (tensors::are_dense_alike(rounded, exact)) return impact::difference(rounded, exact);
  return impact::difference(at::empty_like(exact, rounded.options()).copy_(rounded), exact);
}

bool is_shorter_than_float(const at::Tensor& tensor) {
  return tensor.scalar_type() != at::kFloat && tensor.scalar_type() != at::kDouble;
}

bool any_quantized(const std::vector<recipes::Decision>& decisions) {
  return std::ranges::any_of(decisions, &recipes::Decision::is_quantized);
}

/// Products of the same sizes in a call.
std::int64_t groups_of(const LayerCall& call, const at::Tensor& weight) {
  if (call.convolution()) return call.convolution()->convolution().groups;
  return weight.dim() > 2 ? weight.size(0) : 1;
}

using MaybeConvolution = std::optional<amp_recipes::ConvolutionMatrices>;

at::Tensor exact_product(const MaybeConvolution& convolution, ProductMatmul matmul, const at::Tensor& first,
                         const at::Tensor& second) {
  if (!convolution) return amp_recipes::exact_product(matmul, first, second, at::kFloat);
  return amp_recipes::exact_convolution_product(*convolution, matmul, first, second, at::kFloat);
}

/// Operands of a product, and whose they are.
struct ProductOf {
  ProductMatmul matmul = ProductMatmul::Fprop;
  const at::Tensor& first;
  const at::Tensor& second;
  amp_recipes::Second kind = amp_recipes::Second::Weight;
  const MaybeConvolution& convolution;
  CallPlace place{};
  const recipes::LayerSizes& sizes;
};

}  // namespace

struct RecipeCourse::State {
  amp_recipes::ProductSettings settings(std::size_t recipe, const ProductOf& of);
  amp_recipes::RoundedProduct product(std::size_t recipe, const ProductOf& of, amp_recipes::ProductSettings settings,
                                      RecipeRow& row) const;
  at::Tensor earlier_amax(const AmaxPlace& place, const at::Tensor& tensor, const recipes::Operand& operand,
                          recipes::Direction direction);
  RecipeRow row_of(std::size_t recipe, Matmul matmul, const Seen& seen) const;
  void remember(Seen seen);
  bool find_running(Seen& seen);

  std::vector<recipes::Recipe> all;
  std::atomic<std::uint64_t> streams{0};
  std::mutex mutex;
  std::unordered_map<const void*, Seen> layers;  ///< by node
  std::int64_t last_substep = -1;
  std::map<AmaxPlace, std::deque<at::Tensor>> amaxes;
};

RecipeMatmul RecipeRow::read() const {
  RecipeMatmul whole = row;
  if (first) whole.first = loss_of(*first);
  if (second) whole.second = loss_of(*second);
  if (error.defined()) whole.sum_sq_error = squared(error);
  if (exact.defined()) whole.sum_sq_exact = squared(exact);
  return whole;
}

RecipeCourse::RecipeCourse(const std::vector<std::string>& recipes, bool has_shadow)
    : has_shadow_(has_shadow), state_(std::make_unique<State>()) {
  for (const std::string& name : recipes) state_->all.push_back(recipes::recipe_from(name));
}

RecipeCourse::~RecipeCourse() = default;

void RecipeCourse::call_begins(const Call& call) {
  t_forward.clear();
  t_place = {call.module, call.info.id};
}

bool RecipeCourse::wants(const c10::OperatorHandle& op) const { return is_layer_op(name_of(op)); }

/// Those of layers that the program leaves unquantized are looked at too: the report says why.
void RecipeCourse::replace(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> arguments,
                           c10::ArrayRef<c10::IValue> counterparts, c10::ArrayRef<c10::IValue> returned,
                           std::vector<at::Tensor>& outputs) {
  const auto call = LayerCall::of(name_of(op), arguments);
  if (!call || outputs.empty() || !outputs[0].defined()) return;
  const at::Tensor& own_input = arguments[call->input_at()].toTensor();
  const at::Tensor& own_weight = arguments[call->weight_at()].toTensor();
  if (own_input.scalar_type() == at::kDouble) return;  // which no recipe rounds
  const at::Tensor& argument = counterparts[call->input_at()].toTensor();
  const at::Tensor weight = call->weight(counterparts[call->weight_at()].toTensor());
  const at::Tensor input = call->input(argument);
  ForwardCall found{.course = this, .output = returned[0].toTensor(), .call = *call};
  found.sizes = call->convolution() ? call->convolution()->sizes() : amp_recipes::sizes_of(input, weight);
  found.groups = groups_of(*call, weight);
  for (const recipes::Recipe& recipe : state_->all) found.decisions.push_back(recipes::decide(recipe, found.sizes));
  // The node keeps an operand for the gradient of the other; memory that it does not keep may be another tensor's.
  found.layer = {.input = own_weight.requires_grad() ? memory_of(own_input) : nullptr,
                 .weight = own_input.requires_grad() ? memory_of(own_weight) : nullptr,
                 .second = call->second()};
  at::Tensor exact = outputs[0];
  if (any_quantized(found.decisions) && is_shorter_than_float(exact)) {
    exact = call->result(exact_product(call->convolution(), ProductMatmul::Fprop, input, weight), counterparts);
  }
  for (std::size_t i = 0; i < state_->all.size(); ++i) {
    RecipeRow& row = found.rows.emplace_back();
    if (!found.decisions[i].is_quantized) continue;
    const ProductOf of{ProductMatmul::Fprop, input, weight, call->second(), call->convolution(), t_place, found.sizes};
    const amp_recipes::RoundedProduct made = state_->product(i, of, state_->settings(i, of), row);
    const at::Tensor low = call->result(made.values, counterparts);
    auto measured = put_lengths(row, low, exact);
    if (i > 0 || !has_shadow_) continue;
    ComparedOutput compared{.output = found.output, .low = low, .high = exact, .matmul = Matmul::Fprop};
    // Inside a composite op what comes next may write over it, as attention adds its mask.
    compared.difference = impact::difference(low, exact);
    const bool is_read_later = !measured.has_value();
    compared.measured = std::move(measured);
    if (made.first.defined() && own_input.requires_grad() && own_weight.requires_grad()) {
      compared.rounded.push_back({own_input, rounding(call->as_input(made.first), argument), false});
      compared.rounded.push_back({own_weight,
                                  rounding(call->as_weight(made.second), counterparts[call->weight_at()].toTensor()),
                                  call->second() == amp_recipes::Second::Weight});
    }
    found.compared.push_back(std::move(compared));
    outputs[0] = low.to(outputs[0].scalar_type(), /*non_blocking=*/false, /*copy=*/is_read_later);
  }
  t_forward.push_back(std::move(found));
}

amp_recipes::ProductSettings RecipeCourse::State::settings(std::size_t recipe, const ProductOf& of) {
  amp_recipes::ProductSettings settings{.second = of.kind,
                                        .random = {.stream = streams.fetch_add(1, std::memory_order_relaxed)}};
  for (const int which : {0, 1}) {
    const recipes::Operand operand = amp_recipes::operand_of(all[recipe], of.matmul, which, of.kind);
    settings.amax[static_cast<std::size_t>(which)] =
        earlier_amax({recipe, of.place.module, of.place.op, of.sizes.rows, of.sizes.columns, of.matmul, which},
                     which == 0 ? of.first : of.second, operand, amp_recipes::direction_of(of.matmul, which));
  }
  return settings;
}

amp_recipes::RoundedProduct RecipeCourse::State::product(std::size_t recipe, const ProductOf& of,
                                                         amp_recipes::ProductSettings settings, RecipeRow& row) const {
  row.first = std::make_shared<amp_recipes::OperandLosses>();
  row.second = std::make_shared<amp_recipes::OperandLosses>();
  settings.losses = {row.first.get(), row.second.get()};
  // Records name the input first, the engine's products the gradient.
  if (of.matmul == ProductMatmul::Wgrad) std::swap(settings.losses[0], settings.losses[1]);
  return rounded_product(of.convolution, all[recipe], of.matmul, of.first, of.second, settings);
}

/// Of a delayed scale; undefined where there is none yet, and for others.
at::Tensor RecipeCourse::State::earlier_amax(const AmaxPlace& place, const at::Tensor& tensor,
                                             const recipes::Operand& operand, recipes::Direction direction) {
  if (operand.scale != recipes::Scale::TensorDelayed) return {};
  const at::Tensor now = amp_recipes::operand_amax(tensor, operand, direction);
  const std::lock_guard lock(mutex);
  std::deque<at::Tensor>& history = amaxes[place];
  at::Tensor largest;
  if (!history.empty()) largest = at::stack(std::vector<at::Tensor>(history.begin(), history.end())).amax();
  history.push_back(now.nan_to_num(0.0, 0.0, 0.0));  // an overflow must not stay for the history's length
  if (std::ssize(history) > std::max(operand.history, 1)) history.pop_front();
  return largest;
}

RecipeRow RecipeCourse::State::row_of(std::size_t recipe, Matmul matmul, const Seen& seen) const {
  const recipes::Decision& decision = seen.decisions[recipe];
  const bool is_as_any_other = decision.is_quantized && decision.has_hardware;
  RecipeRow row;
  row.row = RecipeMatmul{.substep = seen.substep,
                         .recipe = all[recipe].name,
                         .call_site = seen.call_site,
                         .matmul = matmul,
                         .computed_by = seen.call_site,
                         .is_quantized = decision.is_quantized,
                         .has_hardware = decision.has_hardware,
                         .reason = is_as_any_other ? "" : decision.reason,
                         .rows = seen.sizes.rows,
                         .columns = seen.sizes.columns,
                         .leading = seen.sizes.leading,
                         .groups = seen.groups,
                         .calls = 1};
  return row;
}

RecipeFindings RecipeCourse::forward_ended(const Call& call) {
  RecipeFindings findings;
  for (ForwardCall& found : take(t_forward, [&](const ForwardCall& one) { return one.course == this; })) {
    Seen seen{.layer = found.layer,
              .call = found.call,
              .substep = call.record.substep,
              .call_site = call.error_site,
              .place = t_place,
              .groups = found.groups,
              .decisions = std::move(found.decisions),
              .sizes = found.sizes};
    for (std::size_t i = 0; i < found.rows.size(); ++i) {
      RecipeRow row = state_->row_of(i, Matmul::Fprop, seen);
      row.first = std::move(found.rows[i].first);
      row.second = std::move(found.rows[i].second);
      row.row.sum_sq_error = found.rows[i].row.sum_sq_error;
      row.row.sum_sq_exact = found.rows[i].row.sum_sq_exact;
      row.error = std::move(found.rows[i].error);
      row.exact = std::move(found.rows[i].exact);
      row.on_device = found.rows[i].on_device;
      findings.rows.push_back(std::move(row));
    }
    std::ranges::move(found.compared, std::back_inserter(findings.compared));
    seen.node = node_of(found.output);
    if (seen.node.node != nullptr) state_->remember(std::move(seen));
  }
  return findings;
}

/// Backward belongs to the substep of its forward, or comes right behind it.
void RecipeCourse::State::remember(Seen seen) {
  const std::lock_guard lock(mutex);
  if (seen.substep != last_substep) {
    std::erase_if(layers, [&](const auto& known) { return known.second.substep != last_substep; });
    last_substep = seen.substep;
  }
  const void* const node = seen.node.node;
  layers.insert_or_assign(node, std::move(seen));
}

/// Finds the layer whose node is evaluated on this thread.
bool RecipeCourse::State::find_running(Seen& seen) {
  const void* const node = current_node();
  if (node == nullptr) return false;
  const NodeNumber running{node, backward_sequence_number(), backward_forward_thread()};
  const std::lock_guard lock(mutex);
  const auto found = layers.find(node);
  if (found == layers.end() || found->second.node != running) return false;
  seen = found->second;
  return true;
}

RecipeFindings RecipeCourse::backward_ended(const Call& call) {
  Seen seen;
  RecipeFindings findings;
  const std::string_view op = name_of(call.op);
  if (!is_backward_of_layer_op(op) || !state_->find_running(seen)) return findings;
  seen.substep = call.record.substep;
  for (BackwardMatmul& matmul : backward_matmuls(op, call.kept.arguments, call.results(), seen.layer)) {
    at::Tensor exact = matmul.output;
    if (any_quantized(seen.decisions) && exact.scalar_type() != at::kFloat) {
      exact = matmul.result(exact_product(matmul.convolution, matmul.matmul, matmul.grad_output, matmul.other));
    }
    for (std::size_t i = 0; i < state_->all.size(); ++i) {
      RecipeRow row = state_->row_of(i, recorded(matmul.matmul), seen);
      row.row.computed_by = call.record.call_site;
      if (row.row.is_quantized) {
        const ProductOf of{matmul.matmul,      matmul.grad_output, matmul.other, seen.layer.second,
                           matmul.convolution, seen.place,         seen.sizes};
        const amp_recipes::ProductSettings settings = state_->settings(i, of);
        const amp_recipes::RoundedProduct made = state_->product(i, of, settings, row);
        const at::Tensor low = matmul.result(made.values);
        auto measured = put_lengths(row, low, exact);
        if (i == 0 && has_shadow_) {
          findings.compared.push_back(
              {.output = matmul.output, .low = low, .high = exact, .matmul = recorded(matmul.matmul)});
          findings.compared.back().measured = std::move(measured);
          findings.compared.back().product = gradient_product(seen.call, state_->all[i], matmul.matmul, settings);
        }
      }
      findings.rows.push_back(std::move(row));
    }
  }
  return findings;
}

}  // namespace ampprof::profiler
