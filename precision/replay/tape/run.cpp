// SPDX-License-Identifier: Apache-2.0
#include "precision/replay/tape/run.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <stdexcept>

#include "precision/replay/reference/arguments.h"
#include "precision/replay/reference/fp32_mode.h"
#include "precision/replay/reference/reference.h"
#include "precision/replay/tape/update_ops.h"

namespace ampprof::tape {
namespace {

bool any_below(const torch::jit::Stack& stack, at::ScalarType type) {
  bool found = false;
  for (const c10::IValue& value : stack) {
    reference::visit_tensors(value, [&](const at::Tensor& tensor) {
      found = found || (tensor.defined() && reference::is_below(tensor.scalar_type(), type));
    });
  }
  return found;
}

/// Runs an op in FP64 if FP32 would use TF32 or BF16. Ops that write an argument run unchanged, as in a variant.
template <typename RunOp>
void run_unshortened(const c10::OperatorHandle& op, torch::jit::Stack& stack, at::ScalarType precision,
                     const RunOp& run) {
  const at::ScalarType type = reference::unshortened(op.operator_name().name, stack, precision);
  if (type == precision || writes(op) || !any_below(stack, type)) return run(op, stack);
  for (std::size_t i = 0; i < stack.size(); ++i) {
    stack[i] = reference::in_precision(op.schema().arguments()[i], stack[i], type);
  }
  run(op, stack);
  for (c10::IValue& result : stack) {
    result = reference::change_tensors(result, [&](const at::Tensor& tensor) {
      return reference::is_floating(tensor) ? tensor.to(precision) : tensor;
    });
  }
}

/// Computes LibTorch's dropout formula with the mask that the program drew.
void run_dropout(const TapedCall& call, torch::jit::Stack& stack) {
  const bool is_training = stack[2].isNone() || stack[2].toBool();
  const double share = is_training ? 1 - stack[1].toDouble() : 1.0;
  const at::Tensor output = stack[0].toTensor().mul(call.mask).mul(share == 0 ? 0 : 1 / share);
  stack = {output, call.mask};
}

/// Returns the tensors that a call writes.
std::vector<Source> written_by(const TapedCall& call) {
  std::vector<Source> written;
  std::size_t next = 0;
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    const bool is_written = reference::is_written(call.op.schema().arguments()[i]);
    reference::visit_tensors(call.arguments[i], [&](const at::Tensor&) {
      const Source& source = call.sources[next++];
      if (is_written) written.push_back(source);
    });
  }
  return written;
}

/// Returns the tensor `place` as a view of the memory `flat`: a plain view if the tensor fills the memory.
at::Tensor place_in(const at::Tensor& flat, const Source& place) {
  if (fills(flat.numel(), place)) return flat.view(place.sizes);
  return flat.as_strided(place.sizes, place.strides, place.offset);
}

std::vector<bool> slots_used(const Tape& tape, const std::vector<bool>& is_needed) {
  std::vector<bool> is_used(static_cast<std::size_t>(tape.slots()), false);
  for (std::size_t i = 0; i < is_needed.size(); ++i) {
    if (!is_needed[i]) continue;
    for (const Source& source : tape.calls()[i].sources) {
      if (source.slot >= 0) is_used[static_cast<std::size_t>(source.slot)] = true;
    }
  }
  return is_used;
}

}  // namespace

bool fills(std::int64_t elements, const Source& place) {
  std::int64_t step = 1;
  for (std::size_t i = place.sizes.size(); i-- > 0; step *= place.sizes[i]) {
    if (place.sizes[i] != 1 && place.strides[i] != step) return false;
  }
  return place.offset == 0 && step == elements;
}

Run::Run(const Tape& tape, const std::vector<at::Tensor>& inputs, const std::vector<int>& wanted,
         std::optional<Piece> piece)
    : tape_(tape), piece_(piece), is_needed_(needed_calls(tape, wanted)) {
  if (piece) elements_ = elements_by_slot(tape);
  values_.resize(static_cast<std::size_t>(tape.slots()));
  for (std::size_t i = 0; i < inputs.size(); ++i) value(tape.inputs()[i].slot) = inputs[i];
  const std::vector<bool> is_used = slots_used(tape, is_needed_);
  for (int slot = 0; slot < tape.slots(); ++slot) {
    const at::Tensor& initial = tape.initial(slot);
    if (!initial.defined() || !is_used[static_cast<std::size_t>(slot)]) continue;
    value(slot) = tape.identity() == Identity::Tensor ? initial.clone()
                  : is_piece(slot)                    ? piece_->part_of(initial)
                                                      : initial;
  }
  find_last_uses(wanted);
}

void Run::calls(const RunOp& run, const SeeResults& seen) {
  for (std::size_t i = 0; i < tape_.calls().size(); ++i) {
    if (!is_needed_[i]) continue;
    const TapedCall& call = tape_.calls()[i];
    torch::jit::Stack stack = arguments_of(call);
    if (call.mask.defined()) {
      run_dropout(call, stack);
    } else {
      run_unshortened(twin_ ? *twin_ : call.op, stack, tape_.precision(),
                      [&](const auto& op, torch::jit::Stack& arguments) { run(i, op, arguments); });
    }
    const std::vector<at::Tensor> results = reference::tensors_in(stack);
    keep_written(results);
    for (std::size_t k = 0; k < call.results.size() && k < results.size(); ++k) put(call.results[k], results[k]);
    if (seen) seen(i, results);
    for (const int slot : freed_after_[i]) value(slot) = at::Tensor();
  }
}

at::Tensor Run::read(const Source& source) {
  if (source.constant >= 0) return read_constant(source);
  if (source.slot < 0) return {};
  const at::Tensor& known = value(source.slot);
  if (!known.defined()) throw std::runtime_error("a value is needed before it is computed");
  if (is_piece(source.slot)) return known;
  if (tape_.identity() == Identity::Memory) return place_in(known, source);
  return source.is_detached ? known.detach() : known;
}

bool Run::is_piece(int slot) const { return piece_ && elements_[static_cast<std::size_t>(slot)] == piece_->of; }

at::Tensor Run::read_constant(const Source& source) const {
  at::Tensor tensor = tape_.constants()[static_cast<std::size_t>(source.constant)].tensor.detach();
  if (piece_ && tensor.numel() == piece_->of) tensor = piece_->part_of(tensor.view({-1}));
  const bool is_below = reference::is_below(tensor.scalar_type(), tape_.precision());
  const at::Tensor converted = is_below ? tensor.to(tape_.precision()) : tensor;
  return source.is_copied && !is_below ? converted.clone() : converted;
}

std::vector<bool> needed_calls(const Tape& tape, const std::vector<int>& wanted) {
  std::vector<bool> is_read(static_cast<std::size_t>(tape.slots()), false), is_needed(tape.calls().size(), false);
  const auto read = [&](int slot) {
    if (slot >= 0) is_read[static_cast<std::size_t>(slot)] = true;
  };
  for (const int slot : wanted) read(slot);
  for (std::size_t i = is_needed.size(); i-- > 0;) {
    const TapedCall& call = tape.calls()[i];
    const auto is_wanted = [&](int slot) { return slot >= 0 && is_read[static_cast<std::size_t>(slot)]; };
    const std::vector<Source> written = written_by(call);
    // With Identity::Tensor every call that writes is needed: a written tensor may be a view of a wanted one, which the
    // slots do not show.
    const bool writes_wanted =
        tape.identity() == Identity::Tensor ? !written.empty() : std::ranges::any_of(written, is_wanted, &Source::slot);
    is_needed[i] = writes_wanted || std::ranges::any_of(call.results, is_wanted, &Result::slot);
    if (!is_needed[i]) continue;
    for (const Source& source : call.sources) read(source.slot);
  }
  return is_needed;
}

std::vector<std::int64_t> elements_by_slot(const Tape& tape) {
  std::vector<std::int64_t> elements(static_cast<std::size_t>(tape.slots()), 0);
  const auto at_slot = [&](int slot) -> std::int64_t& { return elements[static_cast<std::size_t>(slot)]; };
  for (int slot = 0; slot < tape.slots(); ++slot) {
    if (tape.initial(slot).defined()) at_slot(slot) = tape.initial(slot).numel();
  }
  for (const Input& input : tape.inputs()) at_slot(input.slot) = input.original.numel();
  for (const TapedCall& call : tape.calls()) {
    for (const Result& result : call.results) {
      if (result.slot >= 0) at_slot(result.slot) = result.elements;
    }
  }
  return elements;
}

void Run::find_last_uses(const std::vector<int>& kept) {
  std::vector<std::ptrdiff_t> last(values_.size(), -1);
  const auto& calls = tape_.calls();
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const auto use = [&](int slot) {
      if (slot >= 0) last[static_cast<std::size_t>(slot)] = static_cast<std::ptrdiff_t>(i);
    };
    for (const Source& source : calls[i].sources) use(source.slot);
    for (const Result& result : calls[i].results) use(result.slot);
  }
  for (const int slot : kept) last[static_cast<std::size_t>(slot)] = -1;
  freed_after_.resize(calls.size());
  if (tape_.identity() == Identity::Memory) return;  // nothing is freed early: values are few and read at the end
  for (std::size_t slot = 0; slot < last.size(); ++slot) {
    if (last[slot] >= 0) freed_after_[static_cast<std::size_t>(last[slot])].push_back(static_cast<int>(slot));
  }
}

torch::jit::Stack Run::arguments_of(const TapedCall& call) {
  torch::jit::Stack stack;
  std::size_t next = 0;
  written_.clear();
  twin_ = tape_.identity() == Identity::Memory ? twin_without_writing(call.op) : std::nullopt;
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    const bool is_written = reference::is_written(call.op.schema().arguments()[i]);
    stack.push_back(reference::change_tensors(call.arguments[i], [&](const at::Tensor&) {
      const Source& source = call.sources[next++];
      return is_written && source.slot >= 0 ? to_write(source) : read(source);
    }));
  }
  return stack;
}

/// Returns the tensor that a call writes instead of `source`. An update runs without gradients and would overwrite
/// values that a derivative still needs. So each call writes to a copy, or its out-of-place twin returns the result.
at::Tensor Run::to_write(const Source& source) {
  if (tape_.identity() == Identity::Tensor) return read(source);
  const at::Tensor value = read(source);
  written_.emplace_back(source, twin_ ? value : value.clone());
  return written_.back().second;
}

void Run::keep_written(const std::vector<at::Tensor>& results) {
  for (std::size_t i = 0; i < written_.size(); ++i) {
    const auto& [place, given] = written_[i];
    const at::Tensor fresh = twin_ ? results.at(i).to(given.scalar_type()) : given;
    at::Tensor whole = fresh.reshape({-1});
    if (!is_piece(place.slot) && !fills(value(place.slot).numel(), place)) {
      whole = value(place.slot).clone();
      whole.as_strided(place.sizes, place.strides, place.offset).copy_(fresh);
    }
    value(place.slot) = std::move(whole);
  }
}

void Run::put(const Result& result, const at::Tensor& tensor) {
  if (result.slot < 0) return;
  if (tape_.identity() == Identity::Tensor) {
    value(result.slot) = tensor;
    return;
  }
  if (fills(result.elements, result.place)) {
    value(result.slot) = tensor.reshape({-1});
    return;
  }
  at::Tensor flat = at::zeros({result.elements}, tensor.options().requires_grad(false));
  flat.as_strided(result.place.sizes, result.place.strides, result.place.offset).copy_(tensor);
  value(result.slot) = std::move(flat);
}

}  // namespace ampprof::tape
