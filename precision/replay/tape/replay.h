// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include <functional>
#include <vector>

#include "precision/replay/tape/tape.h"

namespace ampprof::tape {

/// A value that gradients begin at: the loss, and what its gradient begins with.
struct Root {
  int slot = -1;
  double factor = 1.0;
};

struct Gradients {
  at::Tensor value{};                   ///< of the roots times their factors, summed: one element, in FP64
  std::vector<at::Tensor> of_inputs{};  ///< undefined where nothing depends on it
};

/// Returns whether this thread runs a tape: calls of the autograd engine are ampprof's own then.
bool is_replaying();

/// Is told on its thread when a backward of ampprof's own begins (true) and when it has ended. Autograd runs it on
/// threads of its own where tensors are on a GPU. Null, as at first: nobody is told.
using OwnBackwardListener = void (*)(bool begins);
void set_own_backward_listener(OwnBackwardListener listener);

// Each runs the tape once, in its precision, in a graph of its own, and shortens no FP32; all throw where that cannot
// be done. Nothing that the program can see changes.

/// Is told of a call that was run again, on these arguments; it may hook to what its result's node gives in backward.
using SeeCall =
    std::function<void(std::size_t call, c10::ArrayRef<c10::IValue> arguments, const c10::IValue& first_result)>;

/// Returns the gradients where the inputs have these values. `seen` may be null.
Gradients gradients_at(const Tape& tape, const std::vector<at::Tensor>& inputs, const std::vector<Root>& roots,
                       const SeeCall& seen = {});

/// Calls `seen` with the tangents of all results that have one and that the roots depend on, in order, where the inputs
/// have these values and move along `directions` (undefined: they stay). An op without a formula for tangents gets a
/// difference quotient in FP64. Returns the roots times their factors, summed: one element, in FP64.
at::Tensor tangents_at(const Tape& tape, const std::vector<at::Tensor>& inputs,
                       const std::vector<at::Tensor>& directions, const std::vector<Root>& roots,
                       const std::function<void(OutputIndex place, const at::Tensor& tangent)>& seen);

/// Returns what the tape writes to these tensors of the program where the inputs have these values (undefined: their
/// own): undefined for what it does not write. An update that a GradScaler leaves out is one with gradients of 0.
std::vector<at::Tensor> written_at(const Tape& tape, const std::vector<at::Tensor>& inputs,
                                   const std::vector<at::Tensor>& outputs);

/// Returns for each input the sum over outputs of the cotangent times the derivative, where the inputs have these
/// values (undefined: their own): undefined where no output depends on it. `outputs` are tensors of the program that
/// the tape wrote; those that it did not are left out, and so are undefined cotangents. Derivatives that are no numbers
/// count 0.
std::vector<at::Tensor> pulled_back(const Tape& tape, const std::vector<at::Tensor>& inputs,
                                    const std::vector<at::Tensor>& outputs, const std::vector<at::Tensor>& cotangents);

}  // namespace ampprof::tape
