// SPDX-License-Identifier: Apache-2.0
// Losses on their way backward: what each pass is for, what its loss was multiplied by, and what errors do to it.

#include <ATen/SequenceNumber.h>
#include <torch/types.h>

#include <algorithm>
#include <cmath>

#include "profiler/calls/call.h"
#include "profiler/observer/session.h"
#include "profiler/torch_hooks/torch_state.h"

namespace ampprof::profiler {
namespace {

bool is_close(double a, double b) { return std::abs(a - b) <= 1e-5 * std::abs(b); }

/// A weight of a loss is a number too, so only a power of two that no weight is likely to be looks like a scale.
bool looks_like_scale(const LossFactor& factor) {
  constexpr double kSmallestLikely = 8;
  int exponent = 0;
  return factor.value && *factor.value >= kSmallestLikely && std::frexp(*factor.value, &exponent) == 0.5;
}

}  // namespace

// ---- what a loss was multiplied by

/// Remembers a multiplication by one value that needs no gradient: a loss may begin its backward there.
void Session::notice_scaling(BareCall& call) {
  if (!call.factor || call.phase != Phase::Forward || at::sequence_number::peek() != call.first_node + 1) return;
  ThreadState& thread = call.thread;
  ThreadState::Scaling& place = thread.scalings[thread.next_scaling++ % thread.scalings.size()];
  place = {.node = call.first_node, .factor = *call.factor};
}

/// A program that scales its loss by hand divides its gradients by the same number before it updates.
void Session::notice_unscaling(const BareCall& call) {
  if (open_passes_.empty() || !call.thread.has_gradients || inside_backward()) return;
  const auto multiplier = multiplier_of(call);
  if (!multiplier) return;
  for (const OpenPass& pass : std::vector(open_passes_)) {
    const auto& [tensor, value] = pass.factor;
    if (tensor != nullptr || !value || *value == 1.0 || !is_close(*multiplier * *value, 1.0)) continue;
    scale_of_pass(pass.id, *value);
    if (guessed_scale_ == value) continue;
    guessed_scale_ = value;
    note_missing("loss scale of the program",
                 "guessed to be " + std::to_string(std::lround(*value)) +
                     ": the loss is multiplied by it, its gradients are divided",
                 "say it with --loss-scale, or ampprof::loss_scale() in the program");
  }
}

void Session::set_loss_scale(double scale) {
  const auto lock = locked();
  said_scale_ = scale;
}

std::optional<double> Session::scale_of_call() const {
  const BackwardPass* pass = current_pass();
  return pass == nullptr || !pass->is_of_loss ? scale_ : pass->likely_scale;
}

// ---- passes

BackwardPass Session::begin_backward(std::optional<std::uint64_t> root, bool accumulates) {
  ThreadState& thread = ThreadState::current();
  const BackwardPass* outer = current_pass();
  if (outer != nullptr && inside_backward()) return *outer;  // a checkpoint with reentry
  const auto lock = locked();
  BackwardPass pass;
  pass.is_of_loss = accumulates;
  pass.course = &course_of(thread);
  if (!accumulates) return pass;
  pass.id = ++passes_;
  for (const ThreadState::Scaling& scaling : thread.scalings) {
    if (root && scaling.node == *root) pass.factor = scaling.factor;
  }
  pass.scale = pass.likely_scale = scale_of(pass.factor);
  if (!pass.scale && pass.factor.tensor != nullptr && looks_like_scale(pass.factor)) {
    pass.likely_scale = pass.factor.value;
  }
  if (!pass.scale) open_passes_.push_back({.id = pass.id, .factor = pass.factor});
  return pass;
}

/// The loss scale that a factor is known to be.
std::optional<double> Session::scale_of(const LossFactor& factor) const {
  if (scale_) return scale_;
  if (const auto known = scalers_.find(factor.tensor); factor.tensor != nullptr && known != scalers_.end()) {
    return known->second;
  }
  if (said_scale_) return said_scale_;
  const bool is_guessed = factor.tensor == nullptr && factor.value && factor.value == guessed_scale_;
  return is_guessed ? guessed_scale_ : std::nullopt;
}

void Session::end_backward(const BackwardPass& pass) {
  ThreadState& thread = ThreadState::current();
  if (inside_backward()) return;
  {
    const auto lock = locked();
    for (OpenPass& open : open_passes_) open.has_ended = open.has_ended || open.id == pass.id;
  }
  thread.has_gradients = true;
  thread.awaits_update = thread.awaits_update || pass.is_of_loss;
}

void Session::custom_function_ended() {
  ThreadState& thread = ThreadState::current();
  if (!c10::GradMode::is_enabled()) return;  // that of a function inside
  if (thread.function.is_open) close_function(thread);
  for (const auto& stage : stages_) stage->custom_function_ended();
  leave_call(thread);
}

void Session::close_function(ThreadState& thread) {
  const auto lock = locked();
  functions_[thread.function.number] = {.calls = std::move(thread.function.calls)};
  thread.function = {};
}

void Session::scale_of_pass(std::int64_t pass, double scale) {
  impacts_.scale_was(pass, scale);
  std::erase_if(open_passes_, [&](const OpenPass& open) { return open.id == pass; });
}

/// A segment ends, and nobody will speak of its passes any more. Those of another thread's may go on.
void Session::settle_open_passes(Settle which) {
  const auto goes_on = [&](const OpenPass& pass) { return which == Settle::Ended && !pass.has_ended; };
  for (const OpenPass& pass : open_passes_) {
    if (goes_on(pass)) continue;
    const auto known = scalers_.find(pass.factor.tensor);
    if (pass.factor.tensor != nullptr && known != scalers_.end()) {
      impacts_.scale_was(pass.id, known->second);
    } else if (unscaled_by_) {
      impacts_.scale_was(pass.id, *unscaled_by_);
    } else if (!has_engine_ && scalers_.empty()) {
      impacts_.scale_was(pass.id, 1.0);  // where nobody scales losses, nothing has to be divided
      note_unknown_factor(pass.factor);
    }
  }
  std::erase_if(open_passes_, [&](const OpenPass& pass) { return !goes_on(pass); });
  unscaled_by_.reset();
}

void Session::note_unknown_factor(const LossFactor& factor) {
  if (!looks_like_scale(factor)) return;
  note_missing("loss scale of the program",
               "the loss is multiplied by " + std::to_string(std::lround(*factor.value)) +
                   " before its backward, and nobody divides: impacts are of the product",
               "if that is a loss scale, say --loss-scale, or ampprof::loss_scale() in the program");
}

void Session::note_absent_losses() {
  if (!options_.impact || has_engine_ || passes_ > 0 || !numbers_.trains) return;
  recorder_.add([](Batch& batch) {
    batch.missing.push_back({.what = "loss impact of op calls",
                             .count = 1,
                             .cause = "no backward accumulated into parameters: autograd.grad() alone says of no loss",
                             .remedy = "call backward() on the loss"});
  });
}

// ---- what errors do

void Session::impact_seen(const ImpactLedger::Error& error, double gradient_times_error, std::uint64_t function) {
  const BackwardPass* pass = current_pass();
  if (pass != nullptr && !pass->is_of_loss) return;
  const auto lock = locked();
  const ImpactLedger::Pass of{.id = pass == nullptr ? 0 : pass->id, .scale = pass == nullptr ? scale_ : pass->scale};
  impacts_.add(error, loss_id_, gradient_times_error, of, function);
}

void Session::impact_missed(const ImpactLedger::Error& error, ImpactGap gap) {
  const BackwardPass* pass = current_pass();
  if (pass != nullptr && !pass->is_of_loss) return;
  const auto lock = locked();
  impacts_.add_gap(error, loss_id_, gap);
}

}  // namespace ampprof::profiler
