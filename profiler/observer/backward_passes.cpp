// SPDX-License-Identifier: Apache-2.0
#include "profiler/observer/backward_passes.h"

#include <torch/types.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <iterator>
#include <string>
#include <utility>

#include "profiler/calls/call.h"
#include "profiler/calls/factor_of.h"
#include "profiler/observer/call_phase.h"
#include "profiler/observer/gradient_events.h"
#include "profiler/observer/nonfinite_outcomes.h"
#include "profiler/observer/session_core.h"
#include "profiler/observer/unrecorded_steps.h"
#include "profiler/torch_hooks/torch_state.h"

namespace ampprof::profiler {
namespace {

constexpr std::size_t kMostNumbersOnDevice = 4096;
constexpr std::size_t kMostUndecided = 1024;

std::string whole(double number) { return std::to_string(std::lround(number)); }

}  // namespace

void divide(const Locked& state, const std::vector<LossScales::Settled>& passes) {
  for (const LossScales::Settled& settled : passes) {
    state->impacts.scale_was(settled.pass, settled.scale);
  }
}

void BackwardPasses::begin_multiplication(CallContext& call) {
  if (call.phase != Phase::Forward || !(call.info.multiplies || call.info.divides)) return;
  const auto multiplied = multiplied_value_of(call);
  if (!multiplied) return;
  call.place.multiplication.emplace(
      LossMultiplication{.operand = OneElementProducts::operand_of(
                             multiplied->operand, core_.replays.of(multiplied->operand), call.info.writes_first),
                         .factor = multiplied->factor});
}

void BackwardPasses::notice_result(CallContext& call) {
  if (call.phase != Phase::Forward || call.results().empty() || !call.results()[0].isTensor()) return;
  const at::Tensor& result = call.results()[0].toTensor();
  results_.add(result);
  if (!call.place.multiplication || next_sequence_number() != call.place.first_node + 1) return;
  auto& [operand, factor] = *call.place.multiplication;
  const std::string in_script = script_line();
  const SourcePlaces::Id line = in_script.empty() ? sources_.here() : sources_.at(in_script);
  products_.add(result, std::move(operand), factor, line);
}

void BackwardPasses::notice_reading(const CallContext& call) {
  if (!call.info.reads_value || call.arguments().empty() || !call.arguments()[0].isTensor()) return;
  products_.read(call.arguments()[0].toTensor());
}

void BackwardPasses::notice_unscaling(const Locked& state, const CallContext& call) {
  if (!state->scales.has_open() || !call.thread.has_gradients || inside_backward()) return;
  const auto multiplier = multiplier_of(call);
  if (!multiplier) return;
  const auto passes = state->scales.gradients_multiplied_by(*multiplier);
  divide(state, passes);
  for (const LossScales::Settled& settled : passes) {
    if (!settled.doubtful) continue;
    core_.missing.note("loss scale of the program",
                       "guessed to be " + whole(*settled.doubtful) +
                           ": the loss is multiplied by it, and the gradients are divided by it",
                       "set it with --loss-scale, or with ampprof::loss_scale() in the program");
  }
}

void BackwardPasses::set_loss_scale(double scale) { core_.lock()->scales.program_scales_by(scale); }

std::optional<double> BackwardPasses::scale_of_call(const Locked& state) const {
  const BackwardPass* pass = current_pass();
  return pass == nullptr || !pass->is_of_loss ? state->scales.engine_scale() : pass->likely_scale;
}

BackwardPass BackwardPasses::begin(const std::vector<BackwardRoot>& roots, bool accumulates) {
  ThreadState& thread = ThreadState::current();
  const BackwardPass* outer = current_pass();
  if (outer != nullptr && inside_backward()) return *outer;  // begun by a reentrant checkpoint
  const SourcePlaces::Id place = accumulates ? sources_.here() : SourcePlaces::kUnknown;
  const Locked state = core_.lock();
  BackwardPass pass;
  pass.is_of_loss = accumulates;
  pass.loop = &state->loops.of(thread);
  if (!accumulates) return pass;
  pass.loop = &state->loops.of_pass_on(thread, roots, core_.clock.now_ns());
  const LossChain chain = roots.empty() ? LossChain{} : products_.at(roots.front()).products;
  const LossScales::Begun begun = state->scales.begin(chain);
  pass.id = begun.id;
  pass.scale = begun.scale;
  pass.likely_scale = begun.likely_scale;
  pass.exceptions_before = std::uncaught_exceptions();
  begin_pass(core_, state, pass, place);
  look_back(core_, state, *pass.loop, roots, results_, sources_);
  if (!state->scales.engine_scale()) see_losses(state, pass, roots, place);  // an AMP engine reports its own loss
  return pass;
}

void BackwardPasses::see_losses(const Locked& state, const BackwardPass& pass, const std::vector<BackwardRoot>& roots,
                                SourcePlaces::Id place) {
  state->loss_id = state->loss_ids.id_of(place, 0);
  for (std::size_t i = 0; i < roots.size(); ++i) {
    const at::Tensor root = results_.at(roots[i]);
    OneElementProducts::Chain made_by = products_.at(roots[i]);
    if (root.defined()) notice_loss(core_, root);
    if (!root.defined() && made_by.products.empty()) continue;
    std::vector<LossTensor> values{
        {root, root.defined() ? core_.replays.of(root) : std::vector<variant::Counterpart>{}}};
    std::ranges::move(made_by.operands, std::back_inserter(values));
    if (const auto scaled = state->scales.scaled_at(made_by.products)) {
      values = {values.at(*scaled + 1)};
      made_by.products.clear();
    }
    state->losses.add({.segment = pass.loop->steps.current().id,
                       .loss_id = state->loss_ids.id_of(place, i),
                       .chain = std::move(made_by.products)},
                      values, core_.results);
  }
}

void BackwardPasses::end(const BackwardPass& pass) {
  ThreadState& thread = ThreadState::current();
  if (inside_backward()) return;
  {
    const Locked state = core_.lock();
    state->scales.end(pass.id);
    end_pass(core_, state, pass);
  }
  thread.has_gradients = true;
  thread.awaits_update = thread.awaits_update || pass.is_of_loss;
}

void BackwardPasses::custom_function_ended(const std::vector<at::Tensor>& outputs) {
  ThreadState& thread = ThreadState::current();
  for (const at::Tensor& output : outputs) results_.add(output);
  if (!c10::GradMode::is_enabled()) return;  // the outer function's forward has not ended
  if (thread.function.is_open) {
    core_.lock()->functions.add(thread.function.number, std::move(thread.function.calls));
    thread.function = {};
  }
  for (const auto& stage : core_.stages) stage->custom_function_ended();
  leave_call(thread);
}

void BackwardPasses::settle(const Locked& state, LossScales::Which which) {
  which == LossScales::Which::All ? settle_all_nonfinite(core_, state) : settle_nonfinite(core_, state);
  const auto passes = state->scales.settle(which, core_.has_engine);
  divide(state, passes);
  for (const LossScales::Settled& settled : passes) {
    if (!settled.doubtful) continue;
    core_.missing.note(
        settled.is_by_tensor ? kUndividedGradients : "loss scale of the program",
        "the loss is multiplied by " + whole(*settled.doubtful) +
            " before its backward pass, and gradients are not divided by it: impacts refer to the multiplied loss",
        "if this factor is a loss scale, set it with --loss-scale, or with ampprof::loss_scale() in the program");
  }
  record_losses(state, which);
}

void BackwardPasses::record_losses(const Locked& state, LossScales::Which which) {
  // With --reference off the end of a step must not wait for a device, not even for losses, because the program may be
  // capturing a CUDA graph.
  const bool waits = which == LossScales::Which::All || core_.options.reference != recording::ReferenceMode::Off;
  const std::size_t waiting = state->losses.waiting() + state->impacts.waiting();
  if (waiting > (waits ? 0 : kMostNumbersOnDevice) && !core_.results.complete()) return;
  // Until an update has used the gradients, the program may still unscale them, which would show the loss scale.
  const bool is_late = which == LossScales::Which::All || state->losses.size() > kMostUndecided;
  const bool may_guess = is_late || !ThreadState::current().awaits_update;
  const auto choose = [&](const LossChain& chain) -> std::optional<std::size_t> {
    if (chain.empty()) return 0;
    if (const auto scaled = state->scales.scaled_at(chain)) return *scaled + 1;
    const auto read = may_guess ? products_.first_read_in(chain) : std::nullopt;
    return read || !is_late ? read : 0;
  };
  const SeenLosses::Taken taken = state->losses.take(choose);
  for (std::int64_t i = 0; i < taken.unknown; ++i) {
    core_.missing.note(
        "loss", "the program wrote into the loss between its multiplication by the loss scale and its backward pass",
        "multiply a copy of the loss by the scale");
  }
  if (taken.losses.empty()) return;
  state->has_loss = true;
  for (std::size_t run = 0; run < core_.recorder.runs(); ++run) {
    core_.recorder.add(run, [&](Batch& batch) {
      for (const SeenLosses::Loss& loss : taken.losses) batch.losses.push_back(loss.in(run));
    });
  }
}

void BackwardPasses::note_absent_losses(const Locked& state) {
  if (state->has_loss || core_.has_engine || !state->loops.has_trained()) return;
  if (state->scales.passes() > 0) {
    core_.missing.note("loss", "no backward pass began at a tensor of one element that an op call returned",
                       "call backward() on the loss itself");
    return;
  }
  core_.missing.note(
      core_.options.impact ? "loss, and loss impact of op calls" : "loss",
      "gradients were only computed with torch.autograd.grad(), so ampprof cannot tell which tensor is the loss",
      "call backward() on the loss");
}

}  // namespace ampprof::profiler
