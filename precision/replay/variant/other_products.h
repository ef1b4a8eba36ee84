// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include <vector>

namespace c10 {
class OperatorHandle;
}

namespace ampprof::shadow {

/// Gives leaf calls other results on a shadow's operands than exact ones, so that the shadow's course is that of a
/// program that computes them so. Thread-safe.
class OtherProducts {
 public:
  /// Returns whether it wants calls of this op: they are run on counterparts even where nothing diverges.
  virtual bool wants(const c10::OperatorHandle& op) const = 0;
  /// Replaces what the call gives on counterparts. `arguments` and `returned` are the program's, `counterparts` what
  /// stands for the arguments, `outputs` the exact results on these, one for each tensor of `returned`.
  virtual void replace(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> arguments,
                       c10::ArrayRef<c10::IValue> counterparts, c10::ArrayRef<c10::IValue> returned,
                       std::vector<at::Tensor>& outputs) = 0;

 protected:
  ~OtherProducts() = default;
};

}  // namespace ampprof::shadow
