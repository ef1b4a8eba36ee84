// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>
#include <ATen/core/stack.h>

#include <string>
#include <string_view>
#include <vector>

namespace c10 {
class OperatorHandle;
}

namespace ampprof {

/// What came of an op call's reference execution. README.md here says when each applies.
enum class Outcome {
  Ran,
  NotNeeded,    ///< FP32 throughout, or no floating output
  View,         ///< every floating output shares memory with an argument
  Random,       ///< the op draws random numbers
  Unsupported,  ///< there is no way to run it again; `reason` says why
  Failed,       ///< the op threw when run again; `reason` is the first line of its message
};

/// Runs op calls again in high precision, on the inputs as they were received.
///
/// Nothing that the program can see changes: not the random state, not a buffer that the op writes (running statistics
/// that the schema does not call written included), not a version counter, not a warning. Stateless: one may serve all
/// threads.
class Reference {
 public:
  /// `precision` is kFloat or kDouble.
  explicit Reference(at::ScalarType precision);

  /// What must be kept before the call so that it can be run again after it: the op's arguments, off the top of
  /// `stack`. Those that the schema marks as written are copied if a tensor among the arguments is of reduced
  /// precision; for any other call this costs one count of a reference per argument.
  std::vector<c10::IValue> keep(const c10::OperatorHandle& op, const torch::jit::Stack& stack) const;

  struct Result {
    Outcome outcome = Outcome::NotNeeded;
    /// One per tensor of `returned`, as tensors_in() lists them; undefined where that tensor has no reference.
    std::vector<at::Tensor> outputs;
    std::string reason;
  };

  /// `returned` is what the call returned; for an op that returns nothing it may be written_arguments() instead.
  Result run(const c10::OperatorHandle& op, std::vector<c10::IValue> kept, c10::ArrayRef<c10::IValue> returned) const;

 private:
  at::ScalarType precision_;
};

/// The tensors of a call's arguments or results in order, lists flattened, undefined ones included.
std::vector<at::Tensor> tensors_in(c10::ArrayRef<c10::IValue> values);

/// Of a call's arguments those that the schema marks as written: the results of an op that returns nothing.
std::vector<c10::IValue> written_arguments(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> arguments);

}  // namespace ampprof
