// SPDX-License-Identifier: Apache-2.0
#include "precision/replay/reference/reference.h"

#include <ATen/ATen.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/ivalue.h>

#include <algorithm>
#include <exception>
#include <optional>
#include <string_view>
#include <utility>

#include "precision/replay/attention/half_attention.h"
#include "precision/replay/reference/arguments.h"
#include "precision/replay/reference/arithmetic.h"
#include "precision/replay/reference/failure.h"
#include "precision/replay/reference/fp32_mode.h"
#include "precision/replay/reference/random_state.h"
#include "precision/replay/reference/skipped.h"
#include "precision/tensors/dtype_of.h"
#include "precision/tensors/measure.h"
#include "precision/tensors/observer_disabled_guard.h"
#include "precision/tensors/plain_memory.h"

namespace ampprof::reference {
namespace {

bool same_zeros(const at::Tensor& first, const at::Tensor& again) {
  const double clearly_not_zero = std::ldexp(1.0, error::spacing_of(tensors::dtype_of(first)).min_exponent);
  const at::Tensor y = first.to(again.scalar_type());
  const at::Tensor differ =
      ((y == 0) & (again.abs() >= clearly_not_zero)) | ((again == 0) & (y.abs() >= clearly_not_zero));
  return !differ.any().item<bool>();
}

bool agree(std::string_view name, const at::Tensor& first, const at::Tensor& again) {
  // Limit for the mean difference of equal draws, in ulp. Scaling rounds a draw once or twice. Different draws differ
  // by hundreds of ulp, unless the values hardly vary.
  constexpr double kFewUlp = 8;
  if (first.scalar_type() == again.scalar_type()) return is_floating(first) || at::equal(first, again);
  if (!same_zeros(first, again)) return false;
  return computes_beyond_its_draw(name) || tensors::measure(first, again).local->mean_ulp() <= kFewUlp;
}

/// Tells whether a random op in another precision drew the same numbers as in the program. Equal generator states are
/// not enough: some kernels derive different numbers from the same bits in another type.
///
/// `name` is the op without overload, `again` the results of the second call. Tensors that are not floating must be
/// equal. A zero must not correspond to a clearly nonzero value, which would mean a different mask. Results of ops that
/// only scale their draw must agree within a few ulp on average.
bool same_draw(std::string_view name, c10::ArrayRef<c10::IValue> returned, c10::ArrayRef<c10::IValue> again) {
  const auto first = tensors_in(returned);
  const auto second = tensors_in(again);
  for (std::size_t i = 0; i < first.size() && i < second.size(); ++i) {
    if (!first[i].defined() || !second[i].defined() || first[i].numel() == 0) continue;
    const bool comparable = first[i].sizes() == second[i].sizes() && is_floating(first[i]) == is_floating(second[i]) &&
                            (is_floating(first[i]) || first[i].scalar_type() == second[i].scalar_type());
    if (!comparable || !agree(name, first[i], second[i])) return false;
  }
  return true;
}

constexpr std::string_view kDrawsInside = "it draws random numbers internally, and a replay cannot draw the same ones";

Replay without_outputs(ReplayOutcome outcome, std::string_view reason = "") {
  return {outcome, {}, std::string(reason)};
}

const void* memory_of(const at::Tensor& tensor) {
  return tensor.defined() && tensor.has_storage() ? tensor.storage().unsafeGetStorageImpl() : nullptr;
}

std::vector<const void*> memory_of(c10::ArrayRef<c10::IValue> values) {
  std::vector<const void*> memory;
  for (const auto& value : values) {
    visit_tensors(value, [&](const at::Tensor& tensor) {
      if (const void* one = memory_of(tensor)) memory.push_back(one);
    });
  }
  return memory;
}

bool contains(const std::vector<const void*>& memory, const void* one) {
  return one != nullptr && std::ranges::find(memory, one) != memory.end();
}

bool writes_arguments(const c10::FunctionSchema& schema) { return std::ranges::any_of(schema.arguments(), is_written); }

/// Tells whether the call overwrote an argument that it also reads and that was not copied.
bool lost_its_inputs(const c10::FunctionSchema& schema, const SavedCall& saved) {
  if (saved.has_copies) return false;
  return std::ranges::any_of(schema.arguments(),
                             [](const auto& argument) { return is_written(argument) && !argument.is_out(); });
}

bool takes(c10::ArrayRef<c10::IValue> values, bool (c10::IValue::*is_kind)() const) {
  return std::ranges::any_of(values, [&](const c10::IValue& value) { return (value.*is_kind)(); });
}

/// Tells whether other ops replace this one in high precision.
bool is_replaced_in_high_precision(const c10::OperatorHandle& op) {
  return attention::is_half_attention(op) || attention::is_backward_of_half_attention(op);
}

/// Tells whether the call has any result that `wanted` selects.
bool gives_any(const c10::OperatorHandle& op, const SavedCall& saved, c10::ArrayRef<c10::IValue> returned,
               Results wanted) {
  const bool are_floating = wanted == Results::Floating || may_draw(op, saved.arguments);
  return are_floating ? any_floating(returned) : !tensors_in(returned).empty();
}

/// Returns the outcome of a call that is not run again, with the reason; empty if the call should be run again.
std::optional<Replay> without_replay(const c10::OperatorHandle& op, const SavedCall& saved,
                                     c10::ArrayRef<c10::IValue> returned, Results wanted) {
  if (!gives_any(op, saved, returned, wanted)) return without_outputs(ReplayOutcome::NotNeeded);
  const Skip skip = skip_of(op.operator_name().name);
  if (skip == Skip::NoValues) return without_outputs(ReplayOutcome::NotNeeded);
  if (skip != Skip::No) return without_outputs(ReplayOutcome::Unsupported, reason_of(skip));
  if (!all_plain(saved.arguments) || !all_plain(returned)) {
    return without_outputs(ReplayOutcome::Unsupported, "a tensor has no memory of its own that could be read");
  }
  if (wanted != Results::AllViews && returns_views_only(op, saved.arguments, returned, wanted)) {
    return without_outputs(ReplayOutcome::View);
  }
  const bool takes_tensors =
      takes(saved.arguments, &c10::IValue::isTensor) || takes(saved.arguments, &c10::IValue::isTensorList);
  if (may_draw(op, saved.arguments) && !takes_tensors) return without_outputs(ReplayOutcome::Random);
  if (takes(saved.arguments, &c10::IValue::isStorage)) {
    return without_outputs(ReplayOutcome::Unsupported, "an argument is raw memory, which has no type to convert");
  }
  if (cuda_device_of(saved.arguments) && has_dropout_between_layers(op.schema(), saved.arguments)) {
    return without_outputs(ReplayOutcome::Random, kDrawsInside);
  }
  if (is_replaced_in_high_precision(op) && dropout_share(op.schema(), saved.arguments) > 0.0) {
    return without_outputs(ReplayOutcome::Unsupported,
                           "it applies dropout inside a kernel that exists for reduced precision only");
  }
  if (lost_its_inputs(op.schema(), saved)) {
    return without_outputs(ReplayOutcome::Unsupported, "it overwrote an FP32 argument, and no copy was kept");
  }
  return std::nullopt;
}

/// Returns the results of the second call, or the written arguments if the op returns nothing.
std::vector<c10::IValue> call_again(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> saved,
                                    ArgumentChange change) {
  const auto& arguments = op.schema().arguments();
  torch::jit::Stack stack;
  stack.reserve(saved.size());
  for (std::size_t i = 0; i < saved.size(); ++i) stack.push_back(change(arguments[i], saved[i]));
  auto written = op.schema().returns().empty() ? written_arguments(op, stack) : std::vector<c10::IValue>{};
  if (is_replaced_in_high_precision(op)) {
    attention::run_half_attention(op, stack);
  } else if (attention::is_attention_without_math(op)) {
    attention::run_in_math_backend(stack);
  } else {
    op.callBoxed(stack);
  }
  return op.schema().returns().empty() ? written : stack;
}

/// Computes native_dropout by LibTorch's formula, with the mask that the program's call drew and returned.
Replay dropout_with_its_mask(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> saved,
                             c10::ArrayRef<c10::IValue> returned, ArgumentChange change) {
  const at::Tensor input = change(op.schema().arguments()[0], saved[0]).toTensor();
  const bool is_training = saved[2].isNone() || saved[2].toBool();
  const double share = is_training ? 1 - saved[1].toDouble() : 1.0;
  return {ReplayOutcome::Ran, {input.mul(returned[1].toTensor()).mul_(share == 0 ? 0 : 1 / share), at::Tensor()}, ""};
}

/// Tells whether the draws are known to be those of the first call. Does not compare values on a GPU, since reading
/// them would wait for the GPU.
bool is_known_to_draw_alike(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> returned,
                            c10::ArrayRef<c10::IValue> again) {
  return !cuda_device_of(returned) && same_draw(op.operator_name().name, returned, again);
}

/// Runs the call again with the random numbers of the first call, if they can be drawn again. Restores the program's
/// generator states afterwards.
Replay call_with_same_draw(const c10::OperatorHandle& op, const SavedCall& saved, c10::ArrayRef<c10::IValue> returned,
                           ArgumentChange change, Results wanted) {
  const RandomState after(saved.arguments);
  if (saved.random) saved.random->restore();
  std::vector<c10::IValue> again;
  std::exception_ptr failure;
  try {
    again = call_again(op, saved.arguments, change);
  } catch (...) {
    failure = std::current_exception();
  }
  const bool drew_other_numbers = after.moved();
  const bool drew = saved.random && saved.random->moved();
  after.restore();
  if (failure) std::rethrow_exception(failure);
  if (drew_other_numbers || (drew && !is_known_to_draw_alike(op, returned, again))) {
    return without_outputs(ReplayOutcome::Random, only_draws(op.operator_name().name) ? "" : kDrawsInside);
  }
  return {ReplayOutcome::Ran, paired(again, returned, may_draw(op, saved.arguments) ? Results::Floating : wanted), ""};
}

bool are_pair(const at::Tensor& first, const at::Tensor& again, Results wanted) {
  if (!first.defined() || !again.defined() || is_floating(first) != is_floating(again)) return false;
  return wanted != Results::Floating || (is_floating(first) && first.sizes() == again.sizes());
}

/// Copies all arguments that share memory with a written argument: x.mul_(x) reads what it writes.
void copy_written(const c10::OperatorHandle& op, std::vector<c10::IValue>& saved) {
  const tensors::ObserverDisabledGuard guard;
  const auto memory = memory_of(written_arguments(op, saved));
  for (std::size_t i = 0; i < saved.size(); ++i) {
    if (op.schema().arguments()[i].is_out()) continue;
    saved[i] = change_tensors(saved[i], [&](const at::Tensor& tensor) {
      return contains(memory, memory_of(tensor)) && tensors::has_plain_memory(tensor) ? tensor.clone() : tensor;
    });
  }
}

}  // namespace

/// A call of a random op need not draw: dropout in evaluation and an LSTM without dropout do not.
bool may_draw(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> arguments) {
  return op.hasTag(at::Tag::nondeterministic_seeded) || takes(arguments, &c10::IValue::isGenerator);
}

std::vector<at::Tensor> paired(c10::ArrayRef<c10::IValue> again, c10::ArrayRef<c10::IValue> returned, Results wanted) {
  auto outputs = tensors_in(again);
  const auto first = tensors_in(returned);
  outputs.resize(first.size());
  for (std::size_t i = 0; i < first.size(); ++i) {
    if (!are_pair(first[i], outputs[i], wanted)) outputs[i] = at::Tensor();
  }
  return outputs;
}

bool returns_views_only(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> arguments,
                        c10::ArrayRef<c10::IValue> returned, Results wanted) {
  if (writes_arguments(op.schema())) return false;
  const auto memory = memory_of(arguments);
  bool all_shared = true;
  for (const auto& value : returned) {
    visit_tensors(value, [&](const at::Tensor& tensor) {
      const bool is_wanted = is_floating(tensor) || (wanted != Results::Floating && tensor.defined());
      if (is_wanted) all_shared = all_shared && contains(memory, memory_of(tensor));
    });
  }
  return all_shared;
}

SavedCall save_call(const c10::OperatorHandle& op, const torch::jit::Stack& stack, CopyWritten copy) {
  const auto count = static_cast<std::ptrdiff_t>(op.schema().arguments().size());
  SavedCall saved{{stack.end() - count, stack.end()}, false, nullptr, nullptr};
  saved.has_copies = writes_arguments(op.schema()) && skip_of(op.operator_name().name) == Skip::No &&
                     (copy == CopyWritten::Always || any_reduced(saved.arguments));
  if (saved.has_copies) copy_written(op, saved.arguments);
  if (may_draw(op, saved.arguments)) saved.random = std::make_shared<const RandomState>(saved.arguments);
  return saved;
}

Replay replay(const c10::OperatorHandle& op, const SavedCall& saved, c10::ArrayRef<c10::IValue> returned,
              ArgumentChange change, Results wanted) {
  if (std::optional<Replay> without = without_replay(op, saved, returned, wanted)) return *std::move(without);
  try {
    const tensors::ObserverDisabledGuard guard;
    if (op.operator_name().name == "aten::native_dropout")
      return dropout_with_its_mask(op, saved.arguments, returned, change);
    return call_with_same_draw(op, saved, returned, change, wanted);
  } catch (const std::exception& error) {
    return without_outputs(ReplayOutcome::Failed, reason_of(error));
  }
}

Replay replay(const c10::OperatorHandle& op, const SavedCall& saved, c10::ArrayRef<c10::IValue> returned,
              const Arithmetic& arithmetic) {
  const at::ScalarType precision = unshortened(op.operator_name().name, saved.arguments, arithmetic.precision());
  return replay(op, saved, returned, [&](const c10::Argument& argument, const c10::IValue& value) {
    return arithmetic.convert(argument, value, precision);
  });
}

std::vector<at::Tensor> tensors_in(c10::ArrayRef<c10::IValue> values) {
  std::vector<at::Tensor> tensors;
  for (const auto& value : values) {
    visit_tensors(value, [&](const at::Tensor& tensor) { tensors.push_back(tensor); });
  }
  return tensors;
}

std::vector<c10::IValue> written_arguments(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> arguments) {
  const auto& schema = op.schema().arguments();
  std::vector<c10::IValue> written;
  for (std::size_t i = 0; i < schema.size() && i < arguments.size(); ++i) {
    if (is_written(schema[i])) written.push_back(arguments[i]);
  }
  return written;
}

Reference::Reference(at::ScalarType precision, CopyWritten copy) : precision_(precision), copy_(copy) {
  TORCH_CHECK(precision == at::kFloat || precision == at::kDouble, "a reference is FP32 or FP64, not ", precision);
}

SavedCall Reference::keep(const c10::OperatorHandle& op, const torch::jit::Stack& stack) const {
  return save_call(op, stack, copy_);
}

Replay Reference::run(const c10::OperatorHandle& op, const SavedCall& saved, c10::ArrayRef<c10::IValue> returned,
                      bool ran_in_recipe) const {
  if (saved.known) return *saved.known;
  if (!any_reduced(saved.arguments) && !any_reduced(returned) && !ran_in_recipe) {
    const bool is_view = any_floating(returned) && returns_views_only(op, saved.arguments, returned);
    return {.outcome = is_view ? ReplayOutcome::View : ReplayOutcome::NotNeeded, .outputs = {}, .reason = ""};
  }
  return replay(op, saved, returned, Exact(precision_));
}

}  // namespace ampprof::reference
