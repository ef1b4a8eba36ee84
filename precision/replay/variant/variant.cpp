// SPDX-License-Identifier: Apache-2.0
#include "precision/replay/variant/variant.h"

#include <ATen/ATen.h>
#include <ATen/core/dispatch/Dispatcher.h>

#include <algorithm>
#include <string_view>

#include "precision/replay/reference/fp32_mode.h"
#include "precision/replay/reference/skipped.h"
#include "precision/tensors/observer_disabled_guard.h"

namespace ampprof::variant {
namespace {

std::string_view name_of(const c10::OperatorHandle& op) { return op.operator_name().name; }

/// Whether anything in what it gives was computed of what it takes, and not drawn alone.
bool computes_of(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> arguments) {
  return !reference::only_draws(name_of(op)) && reference::any_floating(arguments);
}

/// Loss scaling is one for both: with a scale or a skipped update of its own, the variant would train another model.
bool is_control(const c10::Argument& argument) {
  return argument.name() == "found_inf" || argument.name() == "grad_scale" || argument.name() == "inv_scale";
}

bool updates_loss_scale(const c10::OperatorHandle& op) { return name_of(op) == "aten::_amp_update_scale_"; }

/// These give a tensor other memory; what the memory holds and its counterpart stay as they are.
bool rebinds(const c10::OperatorHandle& op) { return reference::skip_of(name_of(op)) == reference::Skip::Rebinds; }

bool gets_counterpart_first(const c10::Argument& argument) {
  return (reference::is_written(argument) || reference::is_running_statistic(argument)) && !argument.is_out() &&
         !is_control(argument);
}

bool shares_memory(const at::Tensor& tensor, c10::ArrayRef<at::Tensor> others) {
  return std::ranges::any_of(others,
                             [&](const at::Tensor& other) { return other.defined() && other.is_alias_of(tensor); });
}

/// Tensors of the `out` arguments, or of all others.
std::vector<at::Tensor> arguments_that(bool are_out, const c10::FunctionSchema& schema,
                                       c10::ArrayRef<c10::IValue> arguments) {
  std::vector<at::Tensor> tensors;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (schema.arguments()[i].is_out() != are_out) continue;
    reference::visit_tensors(arguments[i], [&](const at::Tensor& tensor) { tensors.push_back(tensor); });
  }
  return tensors;
}

}  // namespace

reference::SavedCall Variant::prepare(const c10::OperatorHandle& op, const torch::jit::Stack& stack) {
  const tensors::ObserverDisabledGuard guard;
  const auto& arguments = op.schema().arguments();
  reference::SavedCall prepared{
      {stack.end() - static_cast<std::ptrdiff_t>(arguments.size()), stack.end()}, true, nullptr, nullptr};
  if (rebinds(op) || updates_loss_scale(op) || !reference::all_plain(prepared.arguments)) return prepared;
  if (!diverges(prepared, {})) return prepared;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (!gets_counterpart_first(arguments[i])) continue;
    reference::visit_tensors(prepared.arguments[i], [&](const at::Tensor& tensor) {
      if (reference::is_floating(tensor)) memory_.to_write(tensor);
    });
  }
  return prepared;
}

bool Variant::diverges(const reference::SavedCall& prepared, c10::ArrayRef<c10::IValue> returned) {
  bool found = false;
  const auto look = [&](const at::Tensor& tensor) { found = found || memory_.diverges(tensor); };
  for (const auto& value : prepared.arguments) reference::visit_tensors(value, look);
  for (const auto& value : returned) reference::visit_tensors(value, look);
  return found;
}

bool Variant::takes_lost(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> arguments) const {
  bool found = false;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (is_control(op.schema().arguments()[i])) continue;
    reference::visit_tensors(arguments[i], [&](const at::Tensor& tensor) { found = found || lost_.contains(tensor); });
  }
  return found;
}

void Variant::lose(c10::ArrayRef<c10::IValue> results) {
  for (const at::Tensor& tensor : reference::tensors_in(results)) lost_.add(tensor);
}

at::Tensor Variant::of(const at::Tensor& tensor) { return lost_.contains(tensor) ? at::Tensor() : memory_.of(tensor); }

void Variant::restart() {
  memory_.clear();
  lost_.reset(/*is_all=*/false);
}

void Variant::restart_lost() {
  lost_.reset(/*is_all=*/true);
  memory_.clear();
}

reference::Replay Variant::follow(const c10::OperatorHandle& op, reference::SavedCall prepared,
                                  c10::ArrayRef<c10::IValue> returned) {
  const tensors::ObserverDisabledGuard guard;
  if (rebinds(op)) return {};
  const auto written = reference::written_arguments(op, prepared.arguments);
  const auto results = op.schema().returns().empty() ? c10::ArrayRef<c10::IValue>(written) : returned;
  const bool is_of_model = !updates_loss_scale(op);
  if (is_of_model && takes_lost(op, prepared.arguments)) lose(results);
  if (!arithmetic_.computes(op) && !diverges(prepared, returned)) return {};
  const reference::Replay again = run(op, prepared, results);
  if (again.outcome == reference::ReplayOutcome::Ran) {
    keep_results(op.schema(), prepared, results, again);
  } else if (again.outcome != reference::ReplayOutcome::View && again.outcome != reference::ReplayOutcome::NotNeeded) {
    for (const at::Tensor& tensor : reference::tensors_in(results)) memory_.follow(tensor);
    for (const at::Tensor& tensor : reference::tensors_in(written)) memory_.follow(tensor);
    if (is_of_model && computes_of(op, prepared.arguments)) lose(results);
  }
  return again;
}

reference::Replay Variant::run(const c10::OperatorHandle& op, const reference::SavedCall& prepared,
                               c10::ArrayRef<c10::IValue> returned) {
  if (updates_loss_scale(op)) return {reference::ReplayOutcome::Random, {}, ""};
  if (!reference::all_plain(prepared.arguments))
    return {reference::ReplayOutcome::Unsupported, {}, "a tensor has no memory of its own"};
  const bool writes = std::ranges::any_of(op.schema().arguments(), reference::is_written);
  const at::ScalarType precision =
      writes ? precision_ : reference::unshortened(name_of(op), prepared.arguments, precision_);
  const bool is_widened = precision != precision_;
  const bool is_computed = arithmetic_.computes(op);
  std::vector<c10::IValue> counterparts;
  const auto change = [&](const c10::Argument& argument, const c10::IValue& value) {
    const c10::IValue own = counterpart(argument, value);
    if (is_computed) counterparts.push_back(own);
    return is_widened ? reference::in_precision(argument, own, precision) : own;
  };
  reference::Replay again = reference::replay(op, prepared, returned, change);
  for (at::Tensor& output : again.outputs) {
    if (is_widened && output.defined()) output = output.to(precision_);
  }
  if (is_computed && again.outcome == reference::ReplayOutcome::Ran) {
    arithmetic_.compute({op, prepared.arguments, counterparts, returned}, again.outputs);
  }
  return again;
}

c10::IValue Variant::counterpart(const c10::Argument& argument, const c10::IValue& value) {
  if (value.isInt() || value.isBool()) return reference::in_precision(argument, value, precision_);
  const bool is_updated = gets_counterpart_first(argument);
  return reference::change_tensors(value, [&](const at::Tensor& tensor) {
    if (!tensor.defined()) return tensor;
    if (argument.is_out()) {
      const at::ScalarType type = tensor.scalar_type();
      return at::empty({0}, tensor.options().dtype(reference::is_below(type, precision_) ? precision_ : type));
    }
    if (is_control(argument) || !reference::is_floating(tensor))
      return reference::is_written(argument) ? tensor.clone() : tensor;
    return is_updated ? memory_.to_write(tensor) : memory_.to_read(tensor);
  });
}

void Variant::keep_results(const c10::FunctionSchema& schema, const reference::SavedCall& prepared,
                           c10::ArrayRef<c10::IValue> returned, const reference::Replay& again) {
  // What is written in place, or is a view, has its counterpart. An `out` argument may be an input too: max(a, b, a).
  const auto in_place = arguments_that(/*are_out=*/false, schema, prepared.arguments);
  const auto out = arguments_that(/*are_out=*/true, schema, prepared.arguments);
  const auto results = reference::tensors_in(returned);
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (!reference::is_floating(results[i])) continue;
    if (shares_memory(results[i], in_place) && !shares_memory(results[i], out)) continue;
    if (again.outputs[i].defined()) {
      memory_.set(results[i], again.outputs[i]);
    } else {
      memory_.follow(results[i]);
    }
  }
  for (std::size_t i = 0; i < prepared.arguments.size(); ++i) {
    if (!is_control(schema.arguments()[i]) || !reference::is_written(schema.arguments()[i])) continue;
    reference::visit_tensors(prepared.arguments[i], [&](const at::Tensor& tensor) { memory_.follow(tensor); });
  }
}

}  // namespace ampprof::variant
