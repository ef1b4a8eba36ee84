// SPDX-License-Identifier: Apache-2.0
#include "profiler/stages/nonfinite_call.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <utility>

#include "precision/tensors/dtype_of.h"
#include "precision/tensors/observer_disabled_guard.h"
#include "profiler/torch_hooks/torch_state.h"

namespace ampprof::profiler {
namespace {

/// Returns whether the results have the same type as the arguments. If not, the call is a conversion such as to(),
/// which may overflow.
bool keeps_type(const Call& call) {
  bool keeps = true;
  for_each_tensor(call.results(), [&](const at::Tensor& tensor) {
    keeps = keeps && tensor.is_floating_point() && tensors::dtype_of(tensor) == call.record.dtype_in;
  });
  return keeps;
}

std::vector<ResultStorage> memory_of(c10::ArrayRef<c10::IValue> results) {
  std::vector<ResultStorage> given;
  for_each_tensor(results, [&](const at::Tensor& tensor) {
    if (!tensor.has_storage()) return;
    const c10::Storage& storage = tensor.storage();
    given.push_back({storage.getWeakStorageImpl(), tensor.nbytes() >= storage.nbytes()});
  });
  return given;
}

bool writes_leaf(const Call& call) {
  if (call.phase != Phase::Optimizer) return false;
  bool is_leaf = false;
  for_each_tensor(call.results(),
                  [&](const at::Tensor& tensor) { is_leaf = is_leaf || (tensor.requires_grad() && tensor.is_leaf()); });
  return is_leaf;
}

/// Returns whether the inputs can still be read as they were before the call.
bool keeps_inputs(const Call& call) { return !call.info.writes_first || call.saved.has_copies; }

bool makes_new_of(const Call& call, const TensorsOfCall& tensors) {
  if (!call.op.hasTag(at::Tag::pointwise) || tensors.numbers.nonfinite || !keeps_inputs(call)) return false;
  const auto results = call.results();
  return results.size() == 1 && results[0].isTensor() && makes_new(results[0].toTensor(), call.saved.arguments);
}

bool has_zero(const at::Tensor& tensor) { return at::eq(tensor, 0).any().item<bool>(); }

/// Returns whether the last operand, the divisor of a division, has a zero.
bool divides_by_zero(c10::ArrayRef<c10::IValue> arguments) {
  if (arguments.size() > 1 && arguments[1].isScalar()) return arguments[1].toScalar().toDouble() == 0;
  const at::Tensor* last = nullptr;
  for_each_tensor(arguments, [&](const at::Tensor& tensor) { last = &tensor; });
  return last != nullptr && has_zero(*last);
}

void add_facts_of(const Call& call, NonfiniteFacts& facts) {
  bool gives_nan = false;
  for_each_tensor(call.results(), [&](const at::Tensor& tensor) {
    if (!tensor.is_floating_point()) return;
    facts.type = tensors::dtype_of(tensor);
    gives_nan = gives_nan || at::isnan(tensor).any().item<bool>();
  });
  facts.gives_nan = gives_nan;
  if (keeps_inputs(call)) facts.takes_zero = divides_by_zero(call.saved.arguments);
}

/// Returns the inputs as they were before the call.
InputValues inputs_before(const Call& call, const TensorsOfCall& tensors) {
  if (tensors.taken) return *tensors.taken;
  InputValues taken = look_at(call.saved.arguments, tensors.inputs);
  if (call.saved.has_copies) return taken;
  return without_overwritten(std::move(taken), tensors);
}

}  // namespace

InputValues without_overwritten(InputValues taken, const TensorsOfCall& tensors) {
  std::erase_if(taken, [&](const InputValue& value) {
    return !value.input.id && std::ranges::any_of(tensors.memory, [&](const ResultStorage& given) {
      return given.storage._unsafe_get_target() == value.input.memory;
    });
  });
  return taken;
}

void TensorsOfCall::add_results(const Call& call) {
  // detach_ is treated as a view, since zero_grad() detaches gradients before it zeroes them.
  is_view = (call.info.may_be_view || call.info.name == "detach_") && keeps_type(call);
  memory = memory_of(call.results());
  updates_leaf = writes_leaf(call);
  if (call.phase != Phase::Forward && call.phase != Phase::Recompute) return;
  first_node = call.place.first_node;
  end_of_nodes = next_sequence_number();
  thread = forward_thread();
}

Readable readable(const Call& call, const TensorsOfCall& tensors) {
  return {.inputs = [&] { return inputs_before(call, tensors); },
          .makes_new = [&] { return makes_new_of(call, tensors); },
          .add_facts = [&](NonfiniteFacts& facts) { add_facts_of(call, facts); }};
}

Descent descent_of(const InputValues& taken) {
  Descent descent;
  for (const InputValue& value : taken) {
    if (value.is_finite) continue;
    if (value.input.id && *value.input.id != NonfiniteTrace::kOutside) {
      descent.ids.push_back(*value.input.id);
    } else if (!value.input.id && value.is_mask) {
      descent.has_mask = true;
    } else {
      descent.is_outside = true;
    }
  }
  return descent;
}

NonfiniteTrace::Origin received_by(const OpCall& collective, Phase phase, std::optional<std::int64_t> micro_batch) {
  return {.call_site = collective.call_site,
          .phase = phase,
          .segment = collective.segment,
          .micro_batch = micro_batch,
          .cause = NonfiniteCause::Received};
}

std::optional<double> reference_amax(const OpCall& record) {
  if (!record.local || record.ranges->reference_amax <= 0) return std::nullopt;
  return record.ranges->reference_amax;
}

bool gave_nonfinite(const Call& call) {
  const tensors::ObserverDisabledGuard guard;
  bool has_any = false;
  for_each_tensor(call.results(), [&](const at::Tensor& result) {
    has_any = has_any || (result.is_floating_point() && !at::isfinite(result).all().item<bool>());
  });
  return has_any;
}

}  // namespace ampprof::profiler
