// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include <functional>
#include <vector>

#include "precision/replay/tape/tape.h"

namespace ampprof::tape {

/// A value at which gradients begin: the loss, with the initial gradient.
struct Root {
  int slot = -1;
  double factor = 1.0;
};

struct Gradients {
  at::Tensor value{};                   ///< sum of the roots times their factors: one element, in FP64
  std::vector<at::Tensor> of_inputs{};  ///< undefined for inputs on which nothing depends
};

/// Returns whether this thread runs a tape; calls of the autograd engine are then ampprof's own.
bool is_replaying();

/// Called on the thread that runs a tape when a backward of ampprof's own begins (true) and ends. For GPU tensors
/// autograd runs the backward on its own threads. Null, the default, for none.
using OwnBackwardListener = void (*)(bool begins);
void set_own_backward_listener(OwnBackwardListener listener);

// Each runs the tape once, in its precision and in a graph of its own, without TF32 or BF16 inside FP32. All throw if
// that is impossible. They have no effect that the program can see.

/// Called for each call that was run again, with its arguments. It may hook the gradients of the result's node in
/// backward.
using SeeCall =
    std::function<void(std::size_t call, c10::ArrayRef<c10::IValue> arguments, const c10::IValue& first_result)>;

/// Returns the gradients for these values of the inputs. `seen` may be null.
Gradients gradients_at(const Tape& tape, const std::vector<at::Tensor>& inputs, const std::vector<Root>& roots,
                       const SeeCall& seen = {});

/// Calls `seen`, in order, with the tangents of all results that have one and on which the roots depend. The inputs
/// have these values and move along `directions` (undefined: constant). An op without a formula for tangents gets a
/// difference quotient in FP64. Returns the sum of the roots times their factors: one element, in FP64.
at::Tensor tangents_at(const Tape& tape, const std::vector<at::Tensor>& inputs,
                       const std::vector<at::Tensor>& directions, const std::vector<Root>& roots,
                       const std::function<void(OutputIndex place, const at::Tensor& tangent)>& seen);

/// Returns the values that the tape writes to these tensors of the program, for these values of the inputs (undefined:
/// their own). Undefined for tensors that it does not write. An update that a GradScaler skips is replaced by one with
/// gradients of 0.
std::vector<at::Tensor> written_at(const Tape& tape, const std::vector<at::Tensor>& inputs,
                                   const std::vector<at::Tensor>& outputs);

/// Returns for each input the sum over outputs of the cotangent times the derivative, for these values of the inputs
/// (undefined: their own). Undefined if no output depends on the input. `outputs` are tensors of the program. Tensors
/// that the tape did not write, and those with an undefined cotangent, are left out. Derivatives that are NaN or inf
/// count as 0.
std::vector<at::Tensor> pulled_back(const Tape& tape, const std::vector<at::Tensor>& inputs,
                                    const std::vector<at::Tensor>& outputs, const std::vector<at::Tensor>& cotangents);

}  // namespace ampprof::tape
