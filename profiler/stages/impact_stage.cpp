// SPDX-License-Identifier: Apache-2.0
// Loss impact: keeps each output's error until the backward pass computes the gradient of that output, then multiplies
// the two.

#include <ATen/ATen.h>

#include <cmath>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "precision/impact/difference.h"
#include "precision/replay/reference/arithmetic.h"
#include "precision/tensors/deferred_reductions.h"
#include "precision/tensors/observer_disabled_guard.h"
#include "precision/tensors/plain_memory.h"
#include "profiler/calls/call.h"
#include "profiler/calls/parameter_facts.h"
#include "profiler/calls/take.h"
#include "profiler/impact/site_sampler.h"
#include "profiler/recorder/missing_notes.h"
#include "profiler/recorder/run_clock.h"
#include "profiler/stages/impact_options.h"
#include "profiler/stages/input_roundings.h"
#include "profiler/stages/operand_roundings.h"
#include "profiler/stages/stages.h"
#include "profiler/torch_hooks/guarded.h"

namespace ampprof::profiler {
namespace {

using Effect = ImpactLedger::Effect;
using Error = ImpactLedger::Error;
using WeakTensor = c10::weak_intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl>;

constexpr std::int64_t kBytesPerElement = 2;  // impact::difference() returns BF16

/// An error that waits for its gradient.
struct Waiting {
  Error error;
  at::Tensor difference{};     ///< the error's values; undefined if the error is 0
  std::uint64_t function = 0;  ///< number of the custom autograd function that returns this output; 0 for none
  SquarePart part = &ImpactSquares::output;  ///< the part of the squares to which `roundings` are added
  at::Tensor roundings{};                    ///< roundings for the expected impact; if undefined, `difference` is used
  bool has_roundings = true;                 ///< false if `difference` is caused by roundings of operands alone
  bool is_of_fp16 = true;                    ///< false for types with a wider range and a shorter significand
};

/// An output of a call inside a custom autograd function. The output has no node at which a hook could be registered:
/// only the function's own outputs get a node, when the function returns. InputRoundings follows the errors of inner
/// outputs to the function's outputs.
struct InFunction {
  const Stage* stage;
  WeakTensor output;
  Waiting waiting;
};
thread_local std::vector<InFunction> t_in_function;

class ImpactStage : public Stage {
 public:
  ImpactStage(const ImpactOptions& options, MissingNotes& missing, ParameterFacts& parameters, RoundedInputs& inputs)
      : options_(options),
        missing_(missing),
        parameters_(parameters),
        inputs_(options.precision, options.impacts, parameters, inputs, missing),
        operands_(options),
        sampler_(options.bytes) {}

  // An op that returns nothing may write to a tensor that InputRoundings follows.
  bool wants(const OpInfo& info) const override { return info.returns_tensor || info.results == 0; }

  std::unique_ptr<StageCall> begin(Call& call) override;

  /// Registers hooks for the errors of the outputs. `inputs` is empty for a recipe, whose errors do not include
  /// roundings of the program.
  void follow(Call& call, std::optional<InputRoundings::Kept> inputs) {
    const bool is_followed = call.sampled && is_forward(call.phase);
    if (is_followed) {
      for (const OutputPair& pair : call.pairs) follow(call, pair, error_of(call));
      if (inputs) follow_parameters(call);
    }
    if (!inputs) return;
    for (const InputRoundings::Difference& difference : inputs_.after(call, *std::move(inputs))) {
      if (is_followed) follow(call, difference.pair, error_of(call, difference));
    }
  }

  void custom_function_ended() override {
    for (auto& [stage, weak, waiting] : take(t_in_function, [&](const auto& one) { return one.stage == this; })) {
      const at::Tensor output(weak.lock());
      if (!output.defined() || !output.requires_grad()) continue;
      inputs_.forget(output);
      register_gradient_hook(output, std::move(waiting));
    }
  }

 private:
  /// Records the effect of an error on the loss of the current backward pass. `gradient`: the gradient of the tensor
  /// with the error.
  void meet(const at::Tensor& gradient, const Waiting& waiting) const {
    ImpactSink& impacts = options_.impacts;
    if (!impacts.is_open() || !tensors::has_plain_memory(gradient)) return;
    const OverheadTime counted(options_.clock);
    impacts.add(waiting.error, effect_of(gradient, waiting), waiting.function);
  }

  ImpactLedger::LateEffect effect_of(const at::Tensor& gradient, const Waiting& waiting) const {
    const bool has_estimate = waiting.has_roundings && options_.estimates;
    if (!waiting.difference.defined()) {
      Effect none;
      if (has_estimate) none.squares.*waiting.part = 0.0;
      return std::make_shared<std::optional<Effect>>(none);
    }
    const auto [met, kind] = effective_gradient(options_, gradient, waiting.is_of_fp16, waiting.error.source);
    if (!has_estimate) return signed_effect_of(met, waiting, kind);
    if (!waiting.roundings.defined()) return whole_effect_of(met, waiting, kind);
    const auto effect = std::make_shared<std::optional<Effect>>();
    const auto put = [effect, part = waiting.part, gradient_kind = kind](double square, const Effect& so_far) {
      *effect = with_square(so_far, part, square, gradient_kind);
    };
    if (tensors::DeferredReductions* later = options_.results.if_deferred(met.first())) {
      const auto so_far = std::make_shared<Effect>();
      impact::inner_product_later(met, waiting.difference, *later, [so_far](double product, bool is_gradient_finite) {
        *so_far = effect_from(product, is_gradient_finite);
      });
      impact::square_of_products_later(met, waiting.roundings, *later,
                                       [put, so_far](double square) { put(square, *so_far); });
    } else {
      const double product = impact::inner_product(met, waiting.difference);
      put(impact::square_of_products(met, waiting.roundings),
          effect_from(product, std::isfinite(product) || impact::is_finite(met)));
    }
    return effect;
  }

  /// Computes the signed effect and the square in one pass. Requires that the roundings equal the difference.
  ImpactLedger::LateEffect whole_effect_of(const impact::Gradient& met, const Waiting& waiting,
                                           ImpactGradient kind) const {
    const auto effect = std::make_shared<std::optional<Effect>>();
    const auto put = [effect, part = waiting.part, kind](impact::ErrorProducts found, bool is_gradient_finite) {
      *effect = with_square(effect_from(found.sum, is_gradient_finite), part, found.square, kind);
    };
    if (tensors::DeferredReductions* later = options_.results.if_deferred(met.first())) {
      impact::products_with_square_later(met, waiting.difference, *later, put);
    } else {
      const impact::ErrorProducts found = impact::products_with_square(met, waiting.difference);
      put(found, std::isfinite(found.sum) || impact::is_finite(met));
    }
    return effect;
  }

  /// Computes the signed effect without the expected square.
  ImpactLedger::LateEffect signed_effect_of(const impact::Gradient& met, const Waiting& waiting,
                                            ImpactGradient kind) const {
    const auto effect = std::make_shared<std::optional<Effect>>();
    const auto put = [effect, kind](double product, bool is_gradient_finite) {
      *effect = effect_from(product, is_gradient_finite);
      (*effect)->gradient = kind;
    };
    if (tensors::DeferredReductions* later = options_.results.if_deferred(met.first())) {
      impact::inner_product_later(met, waiting.difference, *later, put);
    } else {
      const double product = impact::inner_product(met, waiting.difference);
      put(product, std::isfinite(product) || impact::is_finite(met));
    }
    return effect;
  }

  static Effect effect_from(double product, bool is_gradient_finite) {
    if (std::isfinite(product)) return {.gradient_times_error = product};
    return {.gap = is_gradient_finite ? ImpactGap::ErrorNotFinite : ImpactGap::GradientNotFinite};
  }

  // The hook may refer to `this`, since stages are never freed.
  void register_gradient_hook(const at::Tensor& output, Waiting waiting) const {
    output.register_hook([this, waiting = std::move(waiting)](const at::Tensor& gradient) {
      guarded(FaultPlace::MeetGradient, [&] { meet(gradient, waiting); });
    });
  }

  static std::int64_t bytes_of(const OutputPair& pair, const std::vector<CastOperand>& casts) {
    std::int64_t elements = pair.output.numel();
    if (casts.empty()) return elements * kBytesPerElement;
    if (pair.matmul == Matmul::None) {
      elements += elements + OperandRoundings::kept_elements(casts);
    } else {  // for a recipe, roundings of weights are kept too
      for (const RoundedOperand& rounded : pair.rounded) elements += rounded.rounding.numel();
    }
    return elements * kBytesPerElement;
  }

  Error error_of(const Call& call, ImpactSource source = ImpactSource::OpCall) const {
    return {.segment = call.record.segment,
            .source = source,
            .call_site = call.place.error_site,
            .name = "",
            .run = options_.run};
  }

  /// Attributes the error to the call site that made it, although the error changes the loss through `call`.
  Error error_of(const Call& call, const InputRoundings::Difference& difference) const {
    if (difference.made_by == 0) return error_of(call, ImpactSource::Input);
    Error error = error_of(call, difference.is_decided ? ImpactSource::Decision : ImpactSource::BeforeGradients);
    error.call_site = difference.made_by;
    return error;
  }

  void follow(const Call& call, const OutputPair& pair, const Error& error) {
    const at::Tensor& output = pair.output;
    const auto& function = call.thread.function;
    if (!output.requires_grad() && !function.is_open) return;
    // A step in a recipe may choose other indices than the program, so its result may have other sizes than the
    // program's gradient.
    if (pair.low.defined() && pair.low.sizes() != output.sizes()) return;
    if (pair.is_equal) {
      if (output.requires_grad()) register_gradient_hook(output, {error});
      return;
    }
    const bool has_operands = error.source == ImpactSource::OpCall && options_.estimates;
    const auto casts = has_operands ? operands_.of(call, pair) : std::vector<CastOperand>{};
    {
      const std::lock_guard lock(mutex_);
      if (!sampler_.chooses(error.segment, error.call_site, bytes_of(pair, casts))) return note_left_out();
    }
    Waiting waiting{error, pair.difference.defined() ? pair.difference : impact::difference(pair.low, pair.high)};
    waiting.is_of_fp16 = call.record.dtype_in == DType::Half || pair.low.scalar_type() == at::kHalf;
    if (error.source == ImpactSource::Input) waiting.part = &ImpactSquares::activation;
    // The gradients of the operands measure the effect of the operands' roundings. Only the output's own rounding
    // remains.
    if (!casts.empty() && reference::is_reduced(pair.low) && operands_.are_all(casts, call, output)) {
      waiting.roundings = impact::expected_rounding(pair.low);
    }
    waiting.has_roundings = pair.matmul == Matmul::None || casts.empty();
    operands_.register_gradient_hook(call, error, casts, pair.rounded);
    if (output.requires_grad()) return register_gradient_hook(output, std::move(waiting));
    waiting.function = function.number;
    t_in_function.push_back({this, WeakTensor(output.getIntrusivePtr()), std::move(waiting)});
  }

  void note_left_out() {
    missing_.note("loss impact of op calls", "their errors exceed the memory limit",
                  "the mean over the measured steps stands for all steps, with the standard error shown; raise "
                  "--impact-memory to measure more");
  }

  // ---- parameters that the model holds in reduced precision

  void follow_parameters(const Call& call) {
    for_each_tensor(call.saved.arguments, [&](const at::Tensor& tensor) {
      if (!tensor.is_leaf() || !tensor.requires_grad() || !reference::is_reduced(tensor)) return;
      const at::Tensor master = parameters_.master_of(tensor);
      if (master.defined()) return follow_parameter(tensor);
      Error error = error_of(call, ImpactSource::Parameter);
      error.call_site = 0;
      error.name = parameters_.name_of(tensor);
      if (!error.name.empty()) return options_.impacts.add_gap(error, ImpactGap::NoMaster);
      missing_.note("loss impact of parameters", "a leaf tensor in reduced precision has no name and no FP32 original",
                    "the sum of loss impacts lacks the rounding of this tensor");
    });
  }

  // Registers one permanent hook per parameter, since a leaf outlives its graphs.
  void follow_parameter(const at::Tensor& parameter) {
    {
      const std::lock_guard lock(mutex_);
      const WeakTensor weak(parameter.getIntrusivePtr());
      const auto [known, is_new] = followed_.try_emplace(parameter.unsafeGetTensorImpl(), weak);
      if (!is_new && !known->second.expired()) return;
      known->second = weak;
    }
    parameter.register_hook([this, low = WeakTensor(parameter.getIntrusivePtr())](const at::Tensor& gradient) {
      guarded(FaultPlace::MeetGradient, [&] { meet_parameter(gradient, low.lock()); });
    });
  }

  using Strong = c10::intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl>;

  void meet_parameter(const at::Tensor& gradient, Strong low) const {
    if (!options_.impacts.is_open() || !low) return;
    const at::Tensor parameter(std::move(low));
    const at::Tensor master = parameters_.master_of(parameter);
    if (!master.defined()) return;
    if (const auto segment = options_.impacts.sampled_segment()) {
      const Error error{.segment = *segment,
                        .source = ImpactSource::Parameter,
                        .call_site = 0,
                        .name = parameters_.name_of(parameter)};
      Waiting waiting{error, impact::difference(parameter, master)};
      waiting.part = &ImpactSquares::weight;
      waiting.is_of_fp16 = parameter.scalar_type() == at::kHalf;
      meet(gradient, waiting);
    }
  }

  const ImpactOptions options_;
  MissingNotes& missing_;
  ParameterFacts& parameters_;
  const InputRoundings inputs_;
  const OperandRoundings operands_;  // hooks refer to it, which is safe since stages are never freed
  std::mutex mutex_;
  SiteSampler sampler_;
  std::unordered_map<const c10::TensorImpl*, WeakTensor> followed_;
};

class FollowedCall : public StageCall {
 public:
  FollowedCall(ImpactStage& stage, std::optional<InputRoundings::Kept> inputs)
      : stage_(stage), inputs_(std::move(inputs)) {}

  void after(Call& call) override { stage_.follow(call, std::move(inputs_)); }

 private:
  ImpactStage& stage_;
  std::optional<InputRoundings::Kept> inputs_;
};

std::unique_ptr<StageCall> ImpactStage::begin(Call& call) {
  if (options_.is_of_recipe) {
    return is_forward(call.phase) ? std::make_unique<FollowedCall>(*this, std::nullopt) : nullptr;
  }
  InputRoundings::Kept inputs = inputs_.before(call);
  if (!may_make_inputs(call.phase) && inputs.written.empty()) return nullptr;
  return std::make_unique<FollowedCall>(*this, std::move(inputs));
}

}  // namespace

std::unique_ptr<Stage> make_impact_stage(const ImpactOptions& options, MissingNotes& missing,
                                         ParameterFacts& parameters, RoundedInputs& inputs) {
  return std::make_unique<ImpactStage>(options, missing, parameters, inputs);
}

}  // namespace ampprof::profiler
