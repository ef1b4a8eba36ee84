// SPDX-License-Identifier: Apache-2.0
#include "profiler/stages/operand_roundings.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "precision/impact/difference.h"
#include "precision/tensors/deferred_reductions.h"
#include "precision/tensors/observer_disabled_guard.h"
#include "precision/tensors/plain_memory.h"
#include "precision/tensors/round_to.h"
#include "profiler/recorder/run_clock.h"
#include "profiler/replays/step_replays.h"

namespace ampprof::profiler {
namespace {

/// Returns whether this is a parameter or a view of one, such as the transposed weight of a linear layer.
bool is_weight(const at::Tensor& operand) {
  return operand.is_leaf() || (operand.is_view() && operand._base().is_leaf());
}

/// Returns the stale cached cast of `operand` with which the call computed; undefined if there is none.
at::Tensor stale_cast_of(const Call& call, const at::Tensor& operand) {
  if (!call.with_stale_casts) return {};
  const std::vector<at::Tensor> received = reference::tensors_in(call.saved.arguments);
  const std::vector<at::Tensor> computed_with = reference::tensors_in(call.with_stale_casts->arguments);
  const auto is_it = [&](const at::Tensor& tensor) { return tensor.is_same(operand); };
  const auto at = static_cast<std::size_t>(std::ranges::find_if(received, is_it) - received.begin());
  return at == received.size() || computed_with[at].is_same(operand) ? at::Tensor() : computed_with[at];
}

/// Returns the operands that a recipe rounds. Empty if one of them has no gradient, like a batch: the effect of its
/// rounding is then unknown, and the output's error has to cover the roundings of all operands.
std::vector<CastOperand> rounded_by_recipe(const OutputPair& pair) {
  std::vector<c10::IValue> operands;
  for (const RoundedOperand& rounded : pair.rounded) operands.emplace_back(rounded.operand);
  if (operands.empty()) return {};
  auto casts = operands_of_op(pair.output, operands);
  return casts.size() == operands.size() ? casts : std::vector<CastOperand>{};
}

}  // namespace

EffectiveGradient effective_gradient(const ImpactOptions& options, const at::Tensor& gradient, bool is_of_fp16,
                                     ImpactSource source) {
  auto* const step = options.steps.step(options.run);
  if (step == nullptr) return {gradient, ImpactGradient::Run};
  const tensors::ObserverDisabledGuard guard;
  const at::Tensor counterpart = step->memory().of(gradient);
  if (!counterpart.defined()) return {gradient, ImpactGradient::Run};
  const bool is_decision = source == ImpactSource::Decision;
  // All impacts except those of decisions assume the run's decisions. If the replayed step decided otherwise, it
  // computed another function, whose gradient must not be used.
  if (!is_decision && step->depends_on_decisions(gradient)) return {gradient, ImpactGradient::Run};
  if (is_of_fp16 && !is_decision) return {counterpart, ImpactGradient::Shadow};
  return {impact::Gradient::mean_of(gradient, counterpart), ImpactGradient::Mean};
}

ImpactLedger::Effect with_square(ImpactLedger::Effect effect, SquarePart part, double square, ImpactGradient gradient) {
  if (std::isfinite(square)) effect.squares.*part = square;
  effect.gradient = gradient;
  return effect;
}

OperandRoundings::OperandRoundings(const ImpactOptions& options) : options_(options) {}

std::vector<CastOperand> OperandRoundings::of(const Call& call, const OutputPair& pair) const {
  const at::Tensor& output = pair.output;
  if (!output.requires_grad()) return {};
  if (pair.matmul != Matmul::None) return rounded_by_recipe(pair);
  const auto find = options_.what_if ? operands_of_call : cast_operands;
  return find(output, call.place.first_node, call.saved.arguments);
}

bool OperandRoundings::are_all(const std::vector<CastOperand>& casts, const Call& call,
                               const at::Tensor& output) const {
  bool are_all = true;
  for_each_tensor(call.saved.arguments, [&](const at::Tensor& tensor) {
    const bool is_rounded = options_.what_if || tensor.element_size() > output.element_size();
    if (!tensor.is_floating_point() || !is_rounded) return;
    are_all =
        are_all && std::ranges::any_of(casts, [&](const CastOperand& cast) { return cast.operand.is_same(tensor); });
  });
  return are_all;
}

std::int64_t OperandRoundings::kept_elements(const std::vector<CastOperand>& casts) {
  std::int64_t elements = 0;
  for (const CastOperand& cast : casts) elements += is_weight(cast.operand) ? 0 : cast.operand.numel();
  return elements;
}

void OperandRoundings::register_gradient_hook(const Call& call, const ImpactLedger::Error& error,
                                              const std::vector<CastOperand>& casts,
                                              const std::vector<RoundedOperand>& rounded) const {
  for (const CastOperand& cast : casts) {
    const auto is_it = [&](const RoundedOperand& one) { return one.operand.is_same(cast.operand); };
    const auto by_recipe = std::ranges::find_if(rounded, is_it);
    Waiting waiting = by_recipe == rounded.end() ? waiting_of(call, error, cast) : waiting_of(error, *by_recipe);
    when_gradient_comes(cast,
                        [this, waiting = std::move(waiting)](const at::Tensor& gradient) { meet(gradient, waiting); });
  }
}

OperandRoundings::Waiting OperandRoundings::waiting_of(const ImpactLedger::Error& error,
                                                       const RoundedOperand& rounded) {
  return {.error = error,
          .part = rounded.is_weight ? &ImpactSquares::weight : &ImpactSquares::activation,
          .is_to_fp16 = false,
          .type = rounded.operand.scalar_type(),
          .roundings = rounded.rounding};
}

OperandRoundings::Waiting OperandRoundings::waiting_of(const Call& call, const ImpactLedger::Error& error,
                                                       const CastOperand& cast) const {
  const bool stays = is_weight(cast.operand);
  const at::Tensor stale = stale_cast_of(call, cast.operand);
  Waiting waiting{.error = error,
                  .part = stays ? &ImpactSquares::weight : &ImpactSquares::activation,
                  .is_to_fp16 = is_fp16(cast.type),
                  .type = cast.type};
  if (stays && !stale.defined()) {
    waiting.weight = cast.operand;
  } else {
    waiting.roundings = rounding_of(stale.defined() ? stale : cast.operand, cast.type);
  }
  return waiting;
}

void OperandRoundings::meet(const at::Tensor& gradient, const Waiting& waiting) const {
  ImpactSink& impacts = options_.impacts;
  if (!impacts.is_open() || !tensors::has_plain_memory(gradient)) return;
  const OverheadTime counted(options_.clock);
  const at::Tensor roundings =
      waiting.roundings.defined() ? waiting.roundings : rounding_of(waiting.weight, waiting.type);
  if (gradient.sizes() != roundings.sizes()) return;
  const auto [met, kind] = effective_gradient(options_, gradient, waiting.is_to_fp16);
  const auto effect = std::make_shared<std::optional<ImpactLedger::Effect>>();
  const auto put = [effect, part = waiting.part, gradient_kind = kind](double square) {
    *effect = with_square({}, part, square, gradient_kind);
  };
  if (tensors::DeferredReductions* later = options_.results.if_deferred(met.first())) {
    impact::square_of_products_later(met, roundings, *later, put);
  } else {
    put(impact::square_of_products(met, roundings));
  }
  impacts.add(waiting.error, effect, 0);
}

at::Tensor OperandRoundings::rounding_of(const at::Tensor& operand, at::ScalarType type) const {
  return options_.what_if ? impact::difference(tensors::round_to(operand, *options_.what_if), operand)
                          : impact::rounding_to(operand, type);
}

bool OperandRoundings::is_fp16(at::ScalarType type) const {
  return options_.what_if ? error::format_of(*options_.what_if).dtype == DType::Half : type == at::kHalf;
}

}  // namespace ampprof::profiler
