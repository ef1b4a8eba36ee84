// SPDX-License-Identifier: Apache-2.0
#include "precision/tape/replay.h"

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>
#include <torch/csrc/autograd/autograd.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <utility>

#include "precision/reference/arguments.h"
#include "precision/reference/reference.h"
#include "precision/tape/difference_quotient.h"
#include "precision/tape/update_ops.h"
#include "precision/tensors/observer_disabled_guard.h"

namespace ampprof::tape {
namespace {

thread_local int t_replays = 0;

/// While it lives, ops of this thread make a graph of ampprof's own.
class [[nodiscard]] OwnPass {
 public:
  OwnPass() { ++t_replays; }
  ~OwnPass() { --t_replays; }
  OwnPass(const OwnPass&) = delete;
  OwnPass& operator=(const OwnPass&) = delete;

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

using RunCall = std::function<void(const TapedCall& call, torch::jit::Stack& stack)>;
using SeeResults = std::function<void(std::size_t call, const std::vector<at::Tensor>& results)>;

void run_plain(const TapedCall& call, torch::jit::Stack& stack) {
  if (!run_differentiable(call.op, stack)) call.op.callBoxed(stack);
}

/// LibTorch's own formula, on the mask that the program drew.
void run_dropout(const TapedCall& call, torch::jit::Stack& stack) {
  const bool is_training = stack[2].isNone() || stack[2].toBool();
  const double share = is_training ? 1 - stack[1].toDouble() : 1.0;
  const at::Tensor output = stack[0].toTensor().mul(call.mask).mul(share == 0 ? 0 : 1 / share);
  stack = {output, call.mask};
}

/// One run of a tape.
class Run {
 public:
  /// `wanted`: slots that are read at the end. Calls that none of them depends on are left out.
  Run(const Tape& tape, const std::vector<at::Tensor>& inputs, const std::vector<int>& wanted) : tape_(tape) {
    values_.resize(static_cast<std::size_t>(tape.slots()));
    for (std::size_t i = 0; i < inputs.size(); ++i) value(tape.inputs()[i].slot) = inputs[i];
    for (int slot = 0; slot < tape.slots(); ++slot) {
      if (!tape.initial(slot).defined()) continue;
      value(slot) = tape.identity() == Identity::Tensor ? tape.initial(slot).clone() : tape.initial(slot);
    }
    find_needed(wanted);
    find_last_uses(wanted);
  }

  void calls(const RunCall& run, const SeeResults& seen = {}) {
    for (std::size_t i = 0; i < tape_.calls().size(); ++i) {
      if (!is_needed_[i]) continue;
      const TapedCall& call = tape_.calls()[i];
      torch::jit::Stack stack = arguments_of(call);
      call.mask.defined() ? run_dropout(call, stack) : run(call, stack);
      keep_written();
      const std::vector<at::Tensor> results = reference::tensors_in(stack);
      for (std::size_t k = 0; k < call.results.size() && k < results.size(); ++k) put(call.results[k], results[k]);
      if (seen) seen(i, results);
      for (const int slot : freed_after_[i]) value(slot) = at::Tensor();
    }
  }

  at::Tensor& value(int slot) { return values_[static_cast<std::size_t>(slot)]; }

  /// Returns what is read there now.
  at::Tensor read(const Source& source) { return read(source, source.slot < 0 ? at::Tensor() : value(source.slot)); }

 private:
  at::Tensor read(const Source& source, const at::Tensor& known) {
    if (source.constant >= 0) {
      const at::Tensor tensor = tape_.constants()[static_cast<std::size_t>(source.constant)].tensor.detach();
      const bool is_below = reference::is_below(tensor.scalar_type(), tape_.precision());
      const at::Tensor converted = is_below ? tensor.to(tape_.precision()) : tensor;
      return source.is_copied && !is_below ? converted.clone() : converted;
    }
    if (source.slot < 0) return {};
    if (!known.defined()) throw std::runtime_error("a value is needed before it was made");
    if (tape_.identity() == Identity::Memory) return place_in(known, source);
    return source.is_detached ? known.detach() : known;
  }

  void find_needed(const std::vector<int>& wanted) {
    std::vector<bool> is_read(values_.size(), false);
    const auto read = [&](int slot) {
      if (slot >= 0) is_read[static_cast<std::size_t>(slot)] = true;
    };
    for (const int slot : wanted) read(slot);
    is_needed_.resize(tape_.calls().size());
    for (std::size_t i = is_needed_.size(); i-- > 0;) {
      const TapedCall& call = tape_.calls()[i];
      const auto is_wanted = [&](int slot) { return slot >= 0 && is_read[static_cast<std::size_t>(slot)]; };
      const std::vector<Source> written = written_by(call);
      // A tensor may be a view of what is wanted: its slot does not tell.
      const bool writes_wanted = tape_.identity() == Identity::Tensor
                                     ? !written.empty()
                                     : std::ranges::any_of(written, is_wanted, &Source::slot);
      is_needed_[i] = writes_wanted || std::ranges::any_of(call.results, is_wanted, &Result::slot);
      if (!is_needed_[i]) continue;
      for (const Source& source : call.sources) read(source.slot);
    }
  }

  /// Returns what a call writes in place.
  static std::vector<Source> written_by(const TapedCall& call) {
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

  void find_last_uses(const std::vector<int>& kept) {
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
    if (tape_.identity() == Identity::Memory) return;  // few, and read at the end
    for (std::size_t slot = 0; slot < last.size(); ++slot) {
      if (last[slot] >= 0) freed_after_[static_cast<std::size_t>(last[slot])].push_back(static_cast<int>(slot));
    }
  }

  /// Returns a tensor that lies in the memory `flat`: plainly where it fills it.
  static at::Tensor place_in(const at::Tensor& flat, const Source& place) {
    if (fills(flat.numel(), place)) return flat.view(place.sizes);
    return flat.as_strided(place.sizes, place.strides, place.offset);
  }

  static bool fills(std::int64_t elements, const Source& place) {
    std::int64_t step = 1;
    for (std::size_t i = place.sizes.size(); i-- > 0; step *= place.sizes[i]) {
      if (place.sizes[i] != 1 && place.strides[i] != step) return false;
    }
    return place.offset == 0 && step == elements;
  }

  torch::jit::Stack arguments_of(const TapedCall& call) {
    torch::jit::Stack stack;
    std::size_t next = 0;
    written_.clear();
    for (std::size_t i = 0; i < call.arguments.size(); ++i) {
      const bool is_written = reference::is_written(call.op.schema().arguments()[i]);
      stack.push_back(reference::change_tensors(call.arguments[i], [&](const at::Tensor&) {
        const Source& source = call.sources[next++];
        return is_written && source.slot >= 0 ? to_write(source) : read(source);
      }));
    }
    return stack;
  }

  /// An update runs without gradients, and overwrites what a derivative still needs: each call writes copies.
  at::Tensor to_write(const Source& source) {
    if (tape_.identity() == Identity::Tensor) return read(source);
    written_.emplace_back(source, read(source).clone());
    return written_.back().second;
  }

  void keep_written() {
    for (const auto& [place, fresh] : written_) {
      at::Tensor whole = fresh.reshape({-1});
      if (!fills(value(place.slot).numel(), place)) {
        whole = value(place.slot).clone();
        whole.as_strided(place.sizes, place.strides, place.offset).copy_(fresh);
      }
      value(place.slot) = std::move(whole);
    }
  }

  void put(const Result& result, const at::Tensor& tensor) {
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

  const Tape& tape_;
  std::vector<at::Tensor> values_;
  std::vector<bool> is_needed_;  ///< by call
  std::vector<std::vector<int>> freed_after_;
  std::vector<std::pair<Source, at::Tensor>> written_;  ///< by the call in progress
};

std::vector<int> slots_of(const std::vector<Root>& roots) {
  std::vector<int> slots;
  for (const Root& root : roots) slots.push_back(root.slot);
  return slots;
}

std::vector<at::Tensor> as_leaves(const std::vector<at::Tensor>& values) {
  std::vector<at::Tensor> leaves;
  for (const at::Tensor& value : values) leaves.push_back(value.detach().requires_grad_(value.is_floating_point()));
  return leaves;
}

std::vector<at::Tensor> gradients_of(const std::vector<at::Tensor>& outputs, const std::vector<at::Tensor>& leaves,
                                     const std::vector<at::Tensor>& cotangents) {
  if (outputs.empty()) return std::vector<at::Tensor>(leaves.size());
  return torch::autograd::grad(outputs, leaves, cotangents, /*retain_graph=*/false, /*create_graph=*/false,
                               /*allow_unused=*/true);
}

// ---- tangents

bool writes(const TapedCall& call) { return std::ranges::any_of(call.op.schema().arguments(), reference::is_written); }

void run_with_tangents(const TapedCall& call, torch::jit::Stack& stack, std::int64_t level) {
  const torch::jit::Stack arguments = stack;
  try {
    call.op.callBoxed(stack);
  } catch (const c10::NotImplementedError&) {
    if (writes(call)) throw;
    stack = arguments;
    run_with_quotient(call.op, stack, level);
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

}  // namespace

bool is_replaying() { return t_replays > 0; }

Gradients gradients_at(const Tape& tape, const std::vector<at::Tensor>& inputs, const std::vector<Root>& roots) {
  const OwnPass own;
  const std::vector<at::Tensor> leaves = as_leaves(inputs);
  Run run(tape, leaves, slots_of(roots));
  run.calls(run_plain);
  Gradients found;
  std::vector<at::Tensor> outputs, cotangents;
  for (const Root& root : roots) {
    const at::Tensor value = run.value(root.slot);
    const at::Tensor share = value.detach().sum(at::kDouble).mul(root.factor);
    found.value = found.value.defined() ? found.value.add(share) : share;
    if (!value.requires_grad()) continue;
    outputs.push_back(value);
    cotangents.push_back(at::full_like(value.detach(), root.factor));
  }
  found.of_inputs = gradients_of(outputs, leaves, cotangents);
  return found;
}

void tangents_at(const Tape& tape, const std::vector<at::Tensor>& inputs, const std::vector<at::Tensor>& directions,
                 const std::vector<Root>& roots,
                 const std::function<void(Place place, const at::Tensor& tangent)>& seen) {
  const OwnPass own;
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
  run.calls([&](const TapedCall& call, torch::jit::Stack& stack) { run_with_tangents(call, stack, number); }, see);
}

std::vector<at::Tensor> pulled_back(const Tape& tape, const std::vector<at::Tensor>& outputs,
                                    const std::vector<at::Tensor>& cotangents) {
  const OwnPass own;
  std::vector<at::Tensor> originals;
  for (const Input& input : tape.inputs()) originals.push_back(input.original);
  const std::vector<at::Tensor> leaves = as_leaves(originals);
  std::vector<at::Tensor> given;
  std::vector<std::size_t> first;  // of several inputs in one memory
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    const auto same = std::ranges::find(tape.inputs(), tape.inputs()[i].slot, &Input::slot);
    first.push_back(static_cast<std::size_t>(same - tape.inputs().begin()));
    given.push_back(leaves[first[i]]);
  }
  std::vector<int> wanted;
  for (const at::Tensor& output : outputs) {
    if (const auto source = tape.source_of(output)) wanted.push_back(source->slot);
  }
  Run run(tape, given, wanted);
  run.calls(run_plain);
  std::vector<at::Tensor> values, met;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const auto source = tape.source_of(outputs[i]);
    if (!source || !cotangents[i].defined()) continue;
    const at::Tensor value = run.read(*source);
    if (!value.requires_grad()) continue;
    values.push_back(value);
    met.push_back(cotangents[i].to(value.scalar_type()).view_as(value));
  }
  const std::vector<at::Tensor> of_leaves = gradients_of(values, leaves, met);
  std::vector<at::Tensor> found(leaves.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (!of_leaves[first[i]].defined()) continue;
    const at::Tensor& tensor = tape.inputs()[i].tensor;
    const at::Tensor flat = at::nan_to_num(of_leaves[first[i]], 0.0, 0.0, 0.0);
    found[i] = flat.as_strided(tensor.sizes(), tensor.strides(), tensor.storage_offset()).clone();
  }
  return found;
}

}  // namespace ampprof::tape
