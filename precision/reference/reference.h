// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "precision/reference/rerun.h"

namespace ampprof {

/// Runs op calls again in high precision, on the inputs as they were received. A call that is FP32 throughout has no
/// local error and is not run. What run_again() promises holds. Stateless: one may serve all threads.
class Reference {
 public:
  using Result = Rerun;

  /// `precision` is kFloat or kDouble. With CopyWritten::Always the kept calls may be run again in other ways, too:
  /// those that are FP32 throughout and in place.
  explicit Reference(at::ScalarType precision, CopyWritten copy = CopyWritten::IfReduced);

  /// Keeps what is needed before the call so that it can be run again after it.
  Kept keep(const c10::OperatorHandle& op, const torch::jit::Stack& stack) const;

  /// `returned` is what the call returned; for an op that returns nothing it may be written_arguments() instead.
  Result run(const c10::OperatorHandle& op, const Kept& kept, c10::ArrayRef<c10::IValue> returned) const;

 private:
  at::ScalarType precision_;
  CopyWritten copy_;
};

}  // namespace ampprof
