// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include <functional>
#include <vector>

#include "precision/replay/tape/tape.h"

namespace ampprof::tape {

/// A value from which gradients start: a loss, with its initial gradient.
struct Root {
  int slot = -1;
  double factor = 1.0;
};

struct Gradients {
  at::Tensor value{};                   ///< sum of the roots times their factors: one element, FP64
  std::vector<at::Tensor> of_inputs{};  ///< by input: gradient; undefined if no root depends on the input
};

/// Returns whether this thread runs a tape, so that autograd calls on it are ampprof's, not the program's.
bool is_replaying();

/// Called on the thread that runs a tape when a backward of ampprof begins (true) and when it finishes (false). For GPU
/// tensors autograd runs the backward on its own threads. Null (the default) disables it.
using OwnBackwardListener = void (*)(bool begins);
void set_own_backward_listener(OwnBackwardListener listener);

// Each function runs the tape once, in the tape's precision and in an autograd graph of its own, without TF32 or BF16
// inside FP32, and throws if that is impossible. None has an effect that the program can observe.

/// Called for each call that was run again, with its arguments. The callback may add gradient hooks to the autograd
/// node of `first_result`.
using SeeCall =
    std::function<void(std::size_t call, c10::ArrayRef<c10::IValue> arguments, const c10::IValue& first_result)>;

/// Returns the gradients for inputs with the values `inputs`. `seen` may be null.
Gradients gradients_at(const Tape& tape, const std::vector<at::Tensor>& inputs, const std::vector<Root>& roots,
                       const SeeCall& seen = {});

/// Calls `seen`, in order, with the tangent of each result that has one and on which the roots depend. `inputs` are the
/// values of the inputs, which move along `directions` (undefined if constant). An op without a formula for tangents
/// gets a difference quotient in FP64. Returns the sum of the roots times their factors: one element, FP64.
at::Tensor tangents_at(const Tape& tape, const std::vector<at::Tensor>& inputs,
                       const std::vector<at::Tensor>& directions, const std::vector<Root>& roots,
                       const std::function<void(OutputIndex place, const at::Tensor& tangent)>& seen);

/// Returns the values that the tape writes to `outputs`, tensors of the program, at the input values `inputs`
/// (undefined tensors stand for the original values). An element of the result is undefined if the tape does not write
/// the tensor. An update that a GradScaler skips is replaced by an update with gradients of 0.
std::vector<at::Tensor> written_at(const Tape& tape, const std::vector<at::Tensor>& inputs,
                                   const std::vector<at::Tensor>& outputs);

/// Returns for each input the sum over `outputs` of cotangent times derivative, at the input values `inputs` (undefined
/// tensors stand for the original values). The result is undefined for an input on which no output depends. `outputs`
/// are tensors of the program; those that the tape did not write, and those with an undefined cotangent, are left out.
/// Derivatives that are NaN or inf count as 0.
std::vector<at::Tensor> pulled_back(const Tape& tape, const std::vector<at::Tensor>& inputs,
                                    const std::vector<at::Tensor>& outputs, const std::vector<at::Tensor>& cotangents);

}  // namespace ampprof::tape
