// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>
#include <ATen/core/stack.h>

#include "precision/replay/reference/arithmetic.h"
#include "precision/replay/variant/variant_memory.h"

namespace ampprof::variant {

/// The step once more beside the program, in another arithmetic: every leaf op call runs again on the counterparts of
/// its arguments, and gives its results theirs. In exact arithmetic it is called a shadow: what a tensor differs from
/// its counterpart is the error that it inherited and what its own op added.
///
/// Integers, masks, random draws and the overflow flags and scales of loss scaling are those of the run. Nothing that
/// the program can see changes. Thread-safe; prepare() and follow() of a call on one thread.
class Variant {
 public:
  /// `arithmetic` outlives this.
  explicit Variant(reference::Arithmetic& arithmetic)
      : arithmetic_(arithmetic), precision_(arithmetic.precision()), memory_(precision_) {}

  /// Saves what follow() needs of a call, off the top of `stack`, before it runs. What the call will overwrite gets a
  /// counterpart now, while it holds its values.
  reference::SavedCall prepare(const c10::OperatorHandle& op, const torch::jit::Stack& stack);

  /// Runs the call on counterparts, after it ran. Where that is not possible, the results are their own counterparts,
  /// and the outcome says why; NotNeeded where nothing that went in or came out diverges.
  reference::Replay follow(const c10::OperatorHandle& op, reference::SavedCall prepared,
                           c10::ArrayRef<c10::IValue> returned);

  /// Returns the counterpart of what a program trains on; undefined where there is none, or where an op on the way to
  /// it could not be followed, so that the counterpart is not what the variant would have come to.
  at::Tensor of(const at::Tensor& tensor);

  VariantMemory& memory() { return memory_; }

  /// Begins where the program is: every tensor is its own counterpart again.
  void restart();

  /// Begins there in the middle of a step: until the next restart() nothing has a counterpart that it would have come
  /// to.
  void restart_lost();

  /// Marks what a call gave that was not followed.
  void lose(c10::ArrayRef<c10::IValue> results);

 private:
  bool diverges(const reference::SavedCall& prepared, c10::ArrayRef<c10::IValue> returned);
  bool takes_lost(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> arguments) const;
  reference::Replay run(const c10::OperatorHandle& op, const reference::SavedCall& prepared,
                        c10::ArrayRef<c10::IValue> returned);
  c10::IValue counterpart(const c10::Argument& argument, const c10::IValue& value);
  void keep_results(const c10::FunctionSchema& schema, const reference::SavedCall& prepared,
                    c10::ArrayRef<c10::IValue> returned, const reference::Replay& again);

  reference::Arithmetic& arithmetic_;
  const at::ScalarType precision_;
  VariantMemory memory_;
  LostMemory lost_;
};

}  // namespace ampprof::variant
