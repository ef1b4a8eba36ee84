// SPDX-License-Identifier: Apache-2.0
#include "precision/replay/variant/variant.h"

#include <ATen/ATen.h>
#include <ATen/core/dispatch/Dispatcher.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "precision/replay/reference/fp32_mode.h"
#include "precision/replay/reference/skipped.h"
#include "precision/replay/variant/index_limits.h"
#include "precision/tensors/observer_disabled_guard.h"

namespace ampprof::variant {
namespace {

constexpr std::string_view kOutside = "the replayed values give an index outside the tensor";

std::string_view name_of(const c10::OperatorHandle& op) { return op.operator_name().name; }

/// Tells whether the op computes results from its inputs instead of only drawing.
bool computes_of(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> arguments) {
  return !reference::only_draws(name_of(op)) && reference::any_floating(arguments);
}

/// Tells whether an argument controls loss scaling. Run and variant share it: with another scale or another skipped
/// step the variant would train another model.
bool is_control(const c10::Argument& argument) {
  return argument.name() == "found_inf" || argument.name() == "grad_scale" || argument.name() == "inv_scale";
}

bool updates_loss_scale(const c10::OperatorHandle& op) { return name_of(op) == "aten::_amp_update_scale_"; }

/// Tells whether an op replaces a tensor's storage. The content of the storage and its counterpart stay.
bool rebinds(const c10::OperatorHandle& op) { return reference::skip_of(name_of(op)) == reference::Skip::Rebinds; }

bool gets_counterpart_first(const c10::Argument& argument) {
  return (reference::is_written(argument) || reference::is_running_statistic(argument)) && !argument.is_out() &&
         !is_control(argument);
}

bool shares_memory(const at::Tensor& tensor, c10::ArrayRef<at::Tensor> others) {
  return std::ranges::any_of(others,
                             [&](const at::Tensor& other) { return other.defined() && other.is_alias_of(tensor); });
}

/// Returns the tensors of the `out` arguments, or of all other arguments.
std::vector<at::Tensor> arguments_that(bool are_out, const c10::FunctionSchema& schema,
                                       c10::ArrayRef<c10::IValue> arguments) {
  std::vector<at::Tensor> tensors;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (schema.arguments()[i].is_out() != are_out) continue;
    reference::visit_tensors(arguments[i], [&](const at::Tensor& tensor) { tensors.push_back(tensor); });
  }
  return tensors;
}

/// Replaces each size that the program passed with the variant's size of the same dimension. Keeps a size if several
/// dimensions have this size in the run but different sizes in the variant.
c10::IValue resized(const c10::IValue& value, const std::vector<std::pair<at::Tensor, at::Tensor>>& others) {
  std::vector<std::int64_t> sizes = value.toIntVector();
  for (std::int64_t& size : sizes) {
    std::optional<std::int64_t> own;
    bool is_clear = size > 1;
    for (const auto& [tensor, counterpart] : others) {
      for (std::int64_t i = 0; i < tensor.dim() && tensor.dim() == counterpart.dim(); ++i) {
        if (tensor.size(i) != size) continue;
        is_clear = is_clear && (!own || *own == counterpart.size(i));
        own = counterpart.size(i);
      }
    }
    if (own && is_clear) size = *own;
  }
  return sizes;
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
      if (tensor.defined() && !memory_.has_other_sizes(tensor)) memory_.to_write(tensor);
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

bool Variant::takes_marked(const MarkedMemory& marked, const c10::OperatorHandle& op, Arguments arguments) const {
  bool found = false;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (is_control(op.schema().arguments()[i])) continue;
    reference::visit_tensors(arguments[i], [&](const at::Tensor& tensor) { found = found || marked.contains(tensor); });
  }
  return found;
}

bool Variant::any_argument(const Running& call, bool (VariantMemory::*is_so)(const at::Tensor&), bool are_integers) {
  bool found = false;
  for (const auto& value : call.prepared.arguments) {
    reference::visit_tensors(value, [&](const at::Tensor& tensor) {
      const bool is_asked = tensor.defined() && !(are_integers && reference::is_floating(tensor));
      found = found || (is_asked && (memory_.*is_so)(tensor));
    });
  }
  return found;
}

void Variant::mark(MarkedMemory& memory, Arguments tensors) {
  for (const at::Tensor& tensor : reference::tensors_in(tensors)) memory.add(tensor);
}

at::Tensor Variant::of(const at::Tensor& tensor) { return lost_.contains(tensor) ? at::Tensor() : memory_.of(tensor); }

void Variant::restart() {
  memory_.clear();
  lost_.reset();
  decided_.reset();
  resized_.reset();
}

void Variant::restart_lost() {
  restart();
  lose_all();
}

void Variant::follow_run(Arguments results, Arguments written) {
  for (const at::Tensor& tensor : reference::tensors_in(results)) memory_.follow(tensor);
  for (const at::Tensor& tensor : reference::tensors_in(written)) memory_.follow(tensor);
}

Followed Variant::follow(const c10::OperatorHandle& op, reference::SavedCall prepared, Arguments returned, Pass pass) {
  const tensors::ObserverDisabledGuard guard;
  if (rebinds(op)) return {};
  const auto written = reference::written_arguments(op, prepared.arguments);
  const auto results = op.schema().returns().empty() ? Arguments(written) : returned;
  const bool is_of_model = !updates_loss_scale(op);
  if (is_of_model && takes_marked(resized_, op, prepared.arguments)) {
    mark(resized_, results);
    if (pass == Pass::Backward) {
      follow_run(results, written);
      lose(results);
      return {};
    }
  }
  if (is_of_model && takes_marked(lost_, op, prepared.arguments)) lose(results);
  if (!arithmetic_.computes(op) && !diverges(prepared, returned)) return {};
  Running call{op, prepared, results, pass};
  call.has_other_sizes = any_argument(call, &VariantMemory::has_other_sizes, /*are_integers=*/false);
  call.takes_own_integers = any_argument(call, &VariantMemory::diverges, /*are_integers=*/true);
  Followed again = run(call);
  if (again.outcome == reference::ReplayOutcome::Ran) {
    if (call.takes_own_integers || takes_marked(decided_, op, prepared.arguments)) mark(decided_, results);
    keep_results(call, again);
  } else if (again.outcome != reference::ReplayOutcome::View && again.outcome != reference::ReplayOutcome::NotNeeded) {
    follow_run(results, written);
    if (is_of_model && (call.takes_own_integers || computes_of(op, prepared.arguments))) lose(results);
  }
  again.other_value = value_read(op, prepared.arguments, returned);
  return again;
}

OtherValue Variant::value_read(const c10::OperatorHandle& op, Arguments arguments, Arguments returned) {
  const bool is_comparison = name_of(op) == "aten::equal";
  if (!is_comparison && name_of(op) != "aten::_local_scalar_dense") return OtherValue::None;
  const at::Tensor& tensor = arguments[0].toTensor();
  if (is_comparison) {
    const bool own = at::equal(memory_.to_read(tensor), memory_.to_read(arguments[1].toTensor()));
    return own == returned[0].toBool() ? OtherValue::None : OtherValue::Flag;
  }
  if (reference::is_floating(tensor) || !memory_.diverges(tensor)) return OtherValue::None;
  if (at::equal(memory_.to_read(tensor), tensor)) return OtherValue::None;
  return tensor.scalar_type() == at::kBool ? OtherValue::Flag : OtherValue::Number;
}

/// Tells whether the call can use the variant's integers as indices safely.
bool Variant::may_take_own_integers(const Running& call) {
  if (!call.takes_own_integers && !call.has_other_sizes) return true;
  std::vector<c10::IValue> own;
  try {
    for (const c10::IValue& value : call.prepared.arguments) {
      own.push_back(
          reference::change_tensors(value, [&](const at::Tensor& tensor) { return memory_.to_read(tensor); }));
    }
  } catch (const c10::Error&) {
    return true;  // the variant's call will fail too and report the error
  }
  return indices_fit(call.op, call.prepared.arguments, own);
}

Followed Variant::run(const Running& call) {
  const auto& [op, prepared, returned, pass, has_other_sizes, takes_own_integers] = call;
  if (updates_loss_scale(op)) return {{reference::ReplayOutcome::Random, {}, ""}};
  if (!reference::all_plain(prepared.arguments))
    return {{reference::ReplayOutcome::Unsupported, {}, "a tensor has no memory of its own"}};
  Running checked = call;
  const bool is_safe = may_take_own_integers(call);
  if (!is_safe && has_other_sizes) return {{reference::ReplayOutcome::Failed, {}, std::string(kOutside)}};
  checked.takes_own_integers = is_safe;
  const bool writes = std::ranges::any_of(op.schema().arguments(), reference::is_written);
  const at::ScalarType precision =
      writes ? precision_ : reference::unshortened(name_of(op), prepared.arguments, precision_);
  const bool is_widened = precision != precision_;
  const bool is_computed = arithmetic_.computes(op);
  std::vector<c10::IValue> counterparts;
  const auto change = [&](const c10::Argument& argument, const c10::IValue& value) {
    const c10::IValue own = counterpart(checked, argument, value);
    if (is_computed) counterparts.push_back(own);
    return is_widened ? reference::in_precision(argument, own, precision) : own;
  };
  const auto wanted = has_other_sizes ? reference::Results::AllViews : reference::Results::All;
  Followed again{reference::replay(op, prepared, returned, change, wanted)};
  again.took_run_integers = !is_safe;
  for (at::Tensor& output : again.outputs) {
    if (is_widened && reference::is_floating(output)) output = output.to(precision_);
  }
  if (is_computed && again.outcome == reference::ReplayOutcome::Ran) {
    arithmetic_.compute({op, prepared.arguments, counterparts, returned}, again.outputs);
  }
  return again;
}

c10::IValue Variant::counterpart(const Running& call, const c10::Argument& argument, const c10::IValue& value) {
  if (value.isInt() || value.isBool()) return reference::in_precision(argument, value, precision_);
  if (call.has_other_sizes && value.isIntList() && argument.name() == "size") {
    std::vector<std::pair<at::Tensor, at::Tensor>> others;
    for (const at::Tensor& tensor : reference::tensors_in(call.prepared.arguments)) {
      if (tensor.defined()) others.emplace_back(tensor, memory_.to_read(tensor));
    }
    return resized(value, others);
  }
  const bool is_updated = gets_counterpart_first(argument);
  return reference::change_tensors(value, [&](const at::Tensor& tensor) {
    if (!tensor.defined()) return tensor;
    if (argument.is_out()) {
      const at::ScalarType type = tensor.scalar_type();
      return at::empty({0}, tensor.options().dtype(reference::is_below(type, precision_) ? precision_ : type));
    }
    if (is_control(argument) || (!reference::is_floating(tensor) && !call.takes_own_integers))
      return reference::is_written(argument) ? tensor.clone() : tensor;
    return is_updated ? memory_.to_write(tensor) : memory_.to_read(tensor);
  });
}

void Variant::keep_results(const Running& call, Followed& again) {
  // A result written in place, or a view, already has its counterpart. An `out` argument may also be an input: max(a,
  // b, a).
  const c10::FunctionSchema& schema = call.op.schema();
  const auto in_place = arguments_that(/*are_out=*/false, schema, call.prepared.arguments);
  const auto out = arguments_that(/*are_out=*/true, schema, call.prepared.arguments);
  const auto results = reference::tensors_in(call.results);
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (!results[i].defined()) continue;
    const bool is_in_place = shares_memory(results[i], in_place) && !shares_memory(results[i], out);
    if (is_in_place && memory_.has_other_sizes(results[i])) {
      if (again.outputs[i].defined()) memory_.set_view(results[i], again.outputs[i]);
    } else if (!reference::is_floating(results[i])) {
      keep_integers(call, results[i], again.outputs[i], again, is_in_place);
    } else if (!is_in_place) {
      keep_values(call, results[i], again.outputs[i], again);
    }
  }
  for (std::size_t i = 0; i < call.prepared.arguments.size(); ++i) {
    if (!is_control(schema.arguments()[i]) || !reference::is_written(schema.arguments()[i])) continue;
    reference::visit_tensors(call.prepared.arguments[i], [&](const at::Tensor& tensor) { memory_.follow(tensor); });
  }
}

void Variant::keep_values(const Running& call, const at::Tensor& result, at::Tensor own, Followed& again) {
  if (!own.defined()) return memory_.follow(result);
  if (own.sizes() == result.sizes()) return memory_.set(result, own);
  // Only these causes can change a size. Without them, a mode of the program has replaced the op's result.
  const bool may_differ =
      call.takes_own_integers || call.has_other_sizes || call.op.hasTag(at::Tag::dynamic_output_shape);
  if (!may_differ) return memory_.follow(result);
  again.changed_sizes = !call.has_other_sizes;
  resized_.add(result);
  memory_.set(result, own.storage().use_count() > 1 ? own.clone() : own);  // shared memory may be the program's
}

void Variant::keep_integers(const Running& call, const at::Tensor& result, at::Tensor own, Followed& again,
                            bool is_in_place) {
  const bool is_decision = decides(call.op, call.prepared.arguments);
  if (is_in_place) own = memory_.of(result);
  const bool is_own = own.defined() && has_own_integers(call.op, call.prepared.arguments, result) &&
                      !(is_decision && call.pass == Pass::Backward);
  if (!is_own) return memory_.follow(result);
  const c10::IValue self = reference::argument_named(call.op.schema(), call.prepared.arguments, "self");
  const ComparedChoice choice = compare_choices(
      call.op, call.prepared.arguments, self.isTensor() ? memory_.to_read(self.toTensor()) : at::Tensor(), result, own);
  if (is_decision) again.decisions += choice.decisions;
  if (!choice.own.defined()) return memory_.follow(result);
  if (!is_in_place) keep_values(call, result, choice.own, again);
}

}  // namespace ampprof::variant
