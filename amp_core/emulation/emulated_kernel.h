// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/boxing/KernelFunction.h>

#include <cstddef>
#include <span>
#include <vector>

#include "amp_core/emulation/half_ops.h"
#include "amp_core/torch_hooks/replaced_kernel.h"

namespace amp {

/// Casts half arguments to FP32, runs the original kernel, and rounds the results once. Complex half counts as half.
/// Calls without half arguments, with mixed types, or with tensors on other devices run the original kernel unchanged.
class EmulatedKernel final : public c10::OperatorKernel {
 public:
  EmulatedKernel(ReplacedKernel replaced, const c10::FunctionSchema& schema, const EmulatedOp& op);

  void operator()(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack* stack);

 private:
  /// An argument that the op writes to.
  struct Written {
    std::size_t argument;
    bool is_out;
  };
  /// A written argument in a call: the program's tensor and the FP32 tensor that replaces it.
  struct Stand {
    at::Tensor original;
    at::Tensor computed;
    bool is_out;
  };

  std::vector<Stand> widen(std::span<c10::IValue> arguments) const;
  void narrow(std::span<c10::IValue> results, const std::vector<Stand>& written) const;

  ReplacedKernel replaced_;
  EmulatedOp op_;
  std::size_t arguments_;
  std::size_t results_;
  std::vector<Written> written_;
};

/// Throws Error for a call with half arguments. The sentence names the op and a remedy.
class RefusingKernel final : public c10::OperatorKernel {
 public:
  RefusingKernel(ReplacedKernel replaced, const c10::FunctionSchema& schema, const RefusedOp& op);

  void operator()(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack* stack);

 private:
  ReplacedKernel replaced_;
  RefusedOp op_;
  std::size_t arguments_;
};

}  // namespace amp
