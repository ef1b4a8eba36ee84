// SPDX-License-Identifier: Apache-2.0
#include "precision/replay/tape/replay.h"

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>
#include <torch/csrc/autograd/autograd.h>

#include <algorithm>
#include <atomic>
#include <optional>
#include <utility>

#include "precision/replay/attention/half_attention.h"
#include "precision/replay/reference/arguments.h"
#include "precision/replay/reference/reference.h"
#include "precision/replay/tape/difference_quotient.h"
#include "precision/replay/tape/run.h"
#include "precision/replay/tape/update_ops.h"
#include "precision/replay/tape/update_pieces.h"
#include "precision/tensors/observer_disabled_guard.h"

namespace ampprof::tape {
namespace {

thread_local int t_replays = 0;
std::atomic<OwnBackwardListener> g_backward_listener{nullptr};

/// Tells the listener when a backward of ampprof begins and when it finishes.
class [[nodiscard]] NotifiedBackward {
 public:
  NotifiedBackward() { tell(true); }
  ~NotifiedBackward() { tell(false); }
  NotifiedBackward(const NotifiedBackward&) = delete;
  NotifiedBackward& operator=(const NotifiedBackward&) = delete;

 private:
  static void tell(bool begins) {
    if (const OwnBackwardListener listener = g_backward_listener.load()) listener(begins);
  }
};

/// While an instance lives, ops on this thread build a graph for ampprof.
class [[nodiscard]] ReplayScope {
 public:
  ReplayScope() { ++t_replays; }
  ~ReplayScope() { --t_replays; }
  ReplayScope(const ReplayScope&) = delete;
  ReplayScope& operator=(const ReplayScope&) = delete;

 private:
  c10::InferenceMode normal_{false};
  tensors::ObserverDisabledGuard unseen_;
  tensors::OwnGraphGuard graph_;
};

class [[nodiscard]] DualLevel {
 public:
  DualLevel() : number(torch::autograd::forward_ad::enter_dual_level()) {}
  ~DualLevel() { torch::autograd::forward_ad::exit_dual_level(number); }
  DualLevel(const DualLevel&) = delete;
  DualLevel& operator=(const DualLevel&) = delete;

  const std::uint64_t number;
};

void run_plain(std::size_t /*call*/, const c10::OperatorHandle& op, torch::jit::Stack& stack) {
  if (attention::is_half_attention(op)) return attention::run_with_attention_node(op, stack);
  if (!run_differentiable(op, stack)) op.callBoxed(stack);
}

std::vector<int> slots_of(const std::vector<Root>& roots) {
  std::vector<int> slots;
  for (const Root& root : roots) slots.push_back(root.slot);
  return slots;
}

/// Returns `sum` plus `value` times `factor`, for the sum over roots. `sum` is undefined for the first root.
at::Tensor plus(const at::Tensor& sum, const at::Tensor& value, double factor) {
  const at::Tensor share = value.sum(at::kDouble).mul(factor);
  return sum.defined() ? sum.add(share) : share;
}

std::vector<at::Tensor> as_leaves(const std::vector<at::Tensor>& values) {
  std::vector<at::Tensor> leaves;
  for (const at::Tensor& value : values) leaves.push_back(value.detach().requires_grad_(value.is_floating_point()));
  return leaves;
}

std::vector<at::Tensor> gradients_of(const std::vector<at::Tensor>& outputs, const std::vector<at::Tensor>& leaves,
                                     const std::vector<at::Tensor>& cotangents) {
  if (outputs.empty()) return std::vector<at::Tensor>(leaves.size());
  const NotifiedBackward told;
  return torch::autograd::grad(outputs, leaves, cotangents, /*retain_graph=*/false, /*create_graph=*/false,
                               /*allow_unused=*/true);
}

// ---- tangents

void run_with_tangents(const c10::OperatorHandle& op, torch::jit::Stack& stack, std::int64_t level) {
  if (attention::is_half_attention(op)) return attention::run_attention_math(op, stack);
  const torch::jit::Stack arguments = stack;
  try {
    op.callBoxed(stack);
  } catch (const c10::NotImplementedError&) {
    if (writes(op)) throw;
    stack = arguments;
    run_with_quotient(op, stack, level);
  }
}

std::vector<at::Tensor> dual_inputs(const std::vector<at::Tensor>& inputs, const std::vector<at::Tensor>& directions,
                                    std::int64_t level) {
  std::vector<at::Tensor> duals;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const at::Tensor value = inputs[i].detach();
    const bool moves = i < directions.size() && directions[i].defined();
    duals.push_back(moves ? at::_make_dual(value, directions[i].to(value.scalar_type()).view_as(value), level) : value);
  }
  return duals;
}

// ---- an update, and its derivatives

/// An update replayed with other values of its inputs. Adds up the pulled-back gradients of several outputs.
class ReplayedUpdate {
 public:
  ReplayedUpdate(const Tape& tape, const std::vector<at::Tensor>& inputs) : tape_(tape), sums_(tape.inputs().size()) {
    for (const Input& input : tape.inputs()) {
      const auto same = std::ranges::find(tape.inputs(), input.slot, &Input::slot);
      first_.push_back(static_cast<std::size_t>(same - tape.inputs().begin()));
      memory_.push_back(input.original);
    }
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (inputs[i].defined()) put(i, inputs[i]);
    }
  }

  /// Returns the new value of one output.
  at::Tensor written(const at::Tensor& output) const {
    const Source source = *tape_.source_of(output);
    const std::vector<Piece> pieces = pieces_for(output);
    if (pieces.empty()) return read(source, memory_, std::nullopt).clone();
    at::Tensor whole;
    for (const Piece& piece : pieces) {
      std::vector<at::Tensor> parts = memory_;
      for (at::Tensor& part : parts) {
        if (part.numel() == piece.of) part = piece.part_of(part);
      }
      const at::Tensor part = read(source, parts, piece);
      if (!whole.defined()) whole = at::empty({piece.of}, part.options());
      piece.part_of(whole).copy_(part);
    }
    return whole.view(output.sizes());
  }

  void at_once(const std::vector<at::Tensor>& outputs, const std::vector<at::Tensor>& cotangents) {
    std::vector<at::Tensor> given, values, met;
    std::vector<int> wanted;
    const std::vector<at::Tensor> leaves = as_leaves(memory_);
    for (const std::size_t first : first_) given.push_back(leaves[first]);
    for (const at::Tensor& output : outputs) wanted.push_back(tape_.source_of(output)->slot);
    Run run(tape_, given, wanted);
    run.calls(run_plain);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      const at::Tensor value = run.read(*tape_.source_of(outputs[i]));
      if (!value.requires_grad()) continue;
      values.push_back(value);
      met.push_back(cotangents[i].to(value.scalar_type()).view_as(value));
    }
    const std::vector<at::Tensor> pulled = gradients_of(values, leaves, met);
    for (std::size_t i = 0; i < pulled.size(); ++i) {
      if (pulled[i].defined()) sums_[i] = sums_[i].defined() ? sums_[i].add(pulled[i]) : pulled[i];
    }
  }

  /// Pulls the cotangent of one output back, range by range. Returns false, without effect, if that is impossible or
  /// not faster.
  bool in_pieces(const at::Tensor& output, const at::Tensor& cotangent) {
    const int slot = tape_.source_of(output)->slot;
    const std::vector<Piece> pieces = pieces_for(output);
    if (pieces.empty()) return false;
    const at::Tensor flat = cotangent.reshape({-1});
    std::vector<at::Tensor> pulled(sums_.size());
    for (const Piece& piece : pieces) pull_piece(piece, slot, piece.part_of(flat), pulled);
    for (std::size_t i = 0; i < pulled.size(); ++i) {
      if (pulled[i].defined()) sums_[i] = sums_[i].defined() ? sums_[i].add(pulled[i]) : pulled[i];
    }
    return true;
  }

  std::vector<at::Tensor> found() const {
    std::vector<at::Tensor> all(sums_.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (!sums_[first_[i]].defined()) continue;
      const at::Tensor& tensor = tape_.inputs()[i].tensor;
      const at::Tensor flat = at::nan_to_num(sums_[first_[i]], 0.0, 0.0, 0.0);
      const bool is_alone = first_[i] == i && tensor.is_contiguous() && tensor.numel() == flat.numel();
      all[i] = is_alone ? flat.view(tensor.sizes()) : laid_out(flat, i).clone();
    }
    return all;
  }

 private:
  std::vector<Piece> pieces_for(const at::Tensor& output) const {
    if (!output.is_cpu() || !output.is_contiguous()) return {};
    std::vector<Piece> pieces = pieces_of(tape_, tape_.source_of(output)->slot);
    return pieces.empty() || pieces.front().of != output.numel() ? std::vector<Piece>() : pieces;
  }

  at::Tensor read(const Source& source, const std::vector<at::Tensor>& memory, std::optional<Piece> piece) const {
    std::vector<at::Tensor> given;
    for (const std::size_t first : first_) given.push_back(memory[first]);
    Run run(tape_, given, {source.slot}, piece);
    run.calls(run_plain);
    return run.read(source);
  }

  void pull_piece(const Piece& piece, int slot, const at::Tensor& cotangent, std::vector<at::Tensor>& pulled) const {
    std::vector<at::Tensor> given(sums_.size()), leaves;
    std::vector<std::size_t> inputs;
    for (std::size_t i = 0; i < given.size(); ++i) {
      if (first_[i] != i) given[i] = given[first_[i]];
      if (first_[i] != i || memory_[i].numel() != piece.of) continue;
      leaves.push_back(piece.part_of(memory_[i]).detach().requires_grad_());
      given[i] = leaves.back();
      inputs.push_back(i);
    }
    Run run(tape_, given, {slot}, piece);
    run.calls(run_plain);
    const at::Tensor value = run.value(slot);
    if (!value.requires_grad()) return;
    const std::vector<at::Tensor> parts = gradients_of({value}, leaves, {cotangent.to(value.scalar_type())});
    for (std::size_t k = 0; k < parts.size(); ++k) {
      if (!parts[k].defined()) continue;
      at::Tensor& whole = pulled[inputs[k]];
      if (!whole.defined()) whole = at::zeros({piece.of}, parts[k].options());
      piece.part_of(whole).copy_(parts[k]);
    }
  }

  void put(std::size_t input, const at::Tensor& value) {
    at::Tensor& memory = memory_[first_[input]];
    if (memory.is_same(tape_.inputs()[first_[input]].original)) memory = memory.clone();
    laid_out(memory, input).copy_(value);
  }

  /// Returns the tensor of an input as a view of `memory`, which is laid out like the input's own memory.
  at::Tensor laid_out(const at::Tensor& memory, std::size_t input) const {
    const at::Tensor& tensor = tape_.inputs()[input].tensor;
    return memory.as_strided(tensor.sizes(), tensor.strides(), tensor.storage_offset());
  }

  const Tape& tape_;
  std::vector<std::size_t> first_;  ///< by input: index of the first input in the same memory
  std::vector<at::Tensor> memory_;  ///< by input: values of its memory; used only at the index of the first input
  std::vector<at::Tensor> sums_;    ///< by input: sums of pulled-back gradients
};

}  // namespace

bool is_replaying() { return t_replays > 0; }

void set_own_backward_listener(OwnBackwardListener listener) { g_backward_listener.store(listener); }

Gradients gradients_at(const Tape& tape, const std::vector<at::Tensor>& inputs, const std::vector<Root>& roots,
                       const SeeCall& seen) {
  const ReplayScope own;
  const std::vector<at::Tensor> leaves = as_leaves(inputs);
  Run run(tape, leaves, slots_of(roots));
  run.calls([&](std::size_t call, const c10::OperatorHandle& op, torch::jit::Stack& stack) {
    const torch::jit::Stack arguments = seen ? stack : torch::jit::Stack();
    run_plain(call, op, stack);
    if (seen && !stack.empty()) seen(call, arguments, stack.front());
  });
  Gradients found;
  std::vector<at::Tensor> outputs, cotangents;
  for (const Root& root : roots) {
    const at::Tensor value = run.value(root.slot);
    found.value = plus(found.value, value.detach(), root.factor);
    if (!value.requires_grad()) continue;
    outputs.push_back(value);
    cotangents.push_back(at::full_like(value.detach(), root.factor));
  }
  found.of_inputs = gradients_of(outputs, leaves, cotangents);
  return found;
}

at::Tensor tangents_at(const Tape& tape, const std::vector<at::Tensor>& inputs,
                       const std::vector<at::Tensor>& directions, const std::vector<Root>& roots,
                       const std::function<void(OutputIndex place, const at::Tensor& tangent)>& seen) {
  const ReplayScope own;
  const c10::AutoGradMode no_graph(false);
  const DualLevel level;
  const auto number = static_cast<std::int64_t>(level.number);
  Run run(tape, dual_inputs(inputs, directions, number), slots_of(roots));
  const auto see = [&](std::size_t call, const std::vector<at::Tensor>& results) {
    for (std::size_t k = 0; k < results.size(); ++k) {
      if (!reference::is_floating(results[k])) continue;
      const at::Tensor tangent = std::get<1>(at::_unpack_dual(results[k], number));
      if (tangent.defined()) seen({call, k}, tangent);
    }
  };
  run.calls([&](std::size_t, const auto& op, torch::jit::Stack& stack) { run_with_tangents(op, stack, number); }, see);
  at::Tensor sum;
  for (const Root& root : roots) {
    const at::Tensor value = std::get<0>(at::_unpack_dual(run.value(root.slot), number));
    sum = plus(sum, value, root.factor);
  }
  return sum;
}

std::vector<at::Tensor> written_at(const Tape& tape, const std::vector<at::Tensor>& inputs,
                                   const std::vector<at::Tensor>& outputs) {
  const ReplayScope own;
  const c10::AutoGradMode no_graph(false);
  const ReplayedUpdate update(tape, inputs);
  std::vector<at::Tensor> written(outputs.size());
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (tape.source_of(outputs[i])) written[i] = update.written(outputs[i]);
  }
  return written;
}

std::vector<at::Tensor> pulled_back(const Tape& tape, const std::vector<at::Tensor>& inputs,
                                    const std::vector<at::Tensor>& outputs, const std::vector<at::Tensor>& cotangents) {
  const ReplayScope own;
  ReplayedUpdate pull(tape, inputs);
  std::vector<at::Tensor> rest, met_by_rest;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (!cotangents[i].defined() || !tape.source_of(outputs[i])) continue;
    if (pull.in_pieces(outputs[i], cotangents[i])) continue;
    rest.push_back(outputs[i]);
    met_by_rest.push_back(cotangents[i]);
  }
  if (!rest.empty()) pull.at_once(rest, met_by_rest);
  return pull.found();
}

}  // namespace ampprof::tape
