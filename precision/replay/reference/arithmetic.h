// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include <vector>

#include "precision/replay/reference/reference.h"

namespace ampprof::reference {

/// A call that was run again on counterparts of the program's tensors.
struct ReplayedCall {
  const c10::OperatorHandle& op;
  c10::ArrayRef<c10::IValue> arguments;     ///< arguments of the program's call
  c10::ArrayRef<c10::IValue> counterparts;  ///< counterparts of the arguments, in order
  c10::ArrayRef<c10::IValue> returned;      ///< results of the program's call
};

/// Arithmetic of a replayed op call: exact, a narrower type, or a recipe. Thread-safe.
class Arithmetic {
 public:
  virtual ~Arithmetic() = default;

  /// Returns the minimum type of floating operands: kFloat or kDouble.
  virtual at::ScalarType precision() const = 0;

  /// Prepares an argument of the second call. `precision` is precision(), or FP64 where FP32 would use TF32 or BF16.
  /// Must not return memory that the call writes; for_replay() never does.
  virtual c10::IValue convert(const c10::Argument& argument, const c10::IValue& value, at::ScalarType precision) const {
    return in_precision(argument, value, precision);
  }

  /// Returns whether compute() must be called for this op, even if its arguments equal the program's.
  virtual bool computes(const c10::OperatorHandle& /*op*/) const { return false; }

  /// Replaces the exact results of a call on counterparts. `outputs` has one tensor for each tensor in `call.returned`.
  virtual void compute(const ReplayedCall& /*call*/, std::vector<at::Tensor>& /*outputs*/) {}
};

/// Replays in IEEE FP32 or FP64.
class Exact : public Arithmetic {
 public:
  explicit Exact(at::ScalarType precision) : precision_(precision) {}

  at::ScalarType precision() const override { return precision_; }

 private:
  at::ScalarType precision_;
};

/// Runs a saved call again in an arithmetic, like replay() in reference.h.
Replay replay(const c10::OperatorHandle& op, const SavedCall& saved, c10::ArrayRef<c10::IValue> returned,
              const Arithmetic& arithmetic);

}  // namespace ampprof::reference
