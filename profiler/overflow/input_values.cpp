// SPDX-License-Identifier: Apache-2.0
#include "profiler/overflow/input_values.h"

#include <ATen/ATen.h>
#include <ATen/ExpandUtils.h>

#include <cmath>
#include <limits>

#include "precision/tensors/measure.h"
#include "profiler/calls/call.h"

namespace ampprof::profiler {

namespace {

InputValue value_of(InputTensor taken, const error::OutputStatistics& measured) {
  const std::int64_t nonfinite = measured.ranges.nonfinite;
  return {.input = std::move(taken),
          .is_finite = nonfinite == 0,
          .is_mask = nonfinite > 0 && nonfinite == measured.minus_infinite};
}

InputTensor taken_of(const at::Tensor& tensor) {
  return {.tensor = WeakTensor(tensor.getIntrusivePtr()), .memory = NonfiniteMemory::of(*tensor.unsafeGetTensorImpl())};
}

}  // namespace

std::vector<InputTensor> inputs_of(const CallContext& call, const NonfiniteMemory& memory) {
  std::vector<InputTensor> inputs;
  const auto& schema = call.op.schema().arguments();
  const auto arguments = call.arguments();
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    for_each_tensor(arguments.slice(i, 1), [&](const at::Tensor& tensor) {
      InputTensor& input = inputs.emplace_back(taken_of(tensor));
      input.id = memory.id_of(input.memory);
      input.name = schema[i].name();
    });
  }
  return inputs;
}

InputValues look_at(c10::ArrayRef<c10::IValue> values, const std::vector<InputTensor>& inputs) {
  InputValues descending;
  std::size_t number = 0;
  for_each_tensor(values, [&](const at::Tensor& tensor) {
    const InputTensor* input = number < inputs.size() ? &inputs[number++] : nullptr;
    if (input == nullptr || !input->id) return;
    InputValue value = value_of(*input, tensors::measure(tensor, at::Tensor()));
    if (!value.is_finite) descending.push_back(std::move(value));
  });
  if (!descending.empty()) return descending;
  InputValues taken;
  number = 0;
  for_each_tensor(values, [&](const at::Tensor& tensor) {
    const InputTensor input = number < inputs.size() ? inputs[number++] : taken_of(tensor);
    taken.push_back(value_of(input, tensors::measure(tensor, at::Tensor())));
  });
  return taken;
}

std::vector<WeakTensor> weak(c10::ArrayRef<c10::IValue> values) {
  std::vector<WeakTensor> tensors;
  for_each_tensor(values, [&](const at::Tensor& tensor) { tensors.emplace_back(tensor.getIntrusivePtr()); });
  return tensors;
}

InputNumbers numbers_in(c10::ArrayRef<c10::IValue> arguments) {
  InputNumbers numbers;
  for (const c10::IValue& value : arguments) {
    if (!value.isScalar() || !value.toScalar().isFloatingPoint()) continue;
    const double number = value.toScalar().toDouble();
    numbers.nonfinite = numbers.nonfinite || !std::isfinite(number);
    numbers.minus_infinity = numbers.minus_infinity || number == -std::numeric_limits<double>::infinity();
  }
  return numbers;
}

bool makes_new(const at::Tensor& result, c10::ArrayRef<c10::IValue> arguments) {
  at::Tensor is_new = at::isfinite(result).logical_not();
  bool broadcasts = true;
  for_each_tensor(arguments, [&](const at::Tensor& tensor) {
    if (!tensor.is_floating_point()) return;
    broadcasts = broadcasts && at::is_expandable_to(tensor.sizes(), result.sizes());
    if (broadcasts) is_new = is_new.logical_and(at::isfinite(tensor));
  });
  return broadcasts && is_new.any().item<bool>();
}

void KnownTensors::add(const std::vector<WeakTensor>& outputs, const error::OutputStatistics& measured) {
  for (const WeakTensor& output : outputs)
    known_.insert_or_assign(output._unsafe_get_target(), Known{output, measured});
}

const error::OutputStatistics* KnownTensors::find(const WeakTensor& tensor) const {
  const auto found = known_.find(tensor._unsafe_get_target());
  return found == known_.end() ? nullptr : &found->second.statistics;
}

void KnownTensors::begin_batch(std::int64_t segment) {
  if (std::exchange(is_in_batch_, true)) return;
  if (segment != segment_) known_.clear();
}

void KnownTensors::end_batch(std::int64_t segment) {
  segment_ = segment;
  is_in_batch_ = false;
  std::erase_if(known_, [](const auto& entry) {
    return entry.second.tensor.expired() || entry.second.statistics.ranges.nonfinite == 0;
  });
}

InputValues look_at(const std::vector<InputTensor>& inputs, const KnownTensors& known, const NonfiniteMemory& memory) {
  InputValues values;
  for (InputTensor input : inputs) {
    input.id = memory.id_of(input.memory);
    const error::OutputStatistics* found = known.find(input.tensor);
    const at::Tensor alive(input.tensor.lock());
    if (found != nullptr) {
      values.push_back(value_of(input, *found));
    } else if (alive.defined()) {
      values.push_back(value_of(input, tensors::measure(alive, at::Tensor())));
    } else {
      values.push_back({.input = input, .is_finite = !input.id});
    }
  }
  return values;
}

}  // namespace ampprof::profiler
