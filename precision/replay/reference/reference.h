// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>
#include <ATen/core/stack.h>

#include <memory>
#include <string>
#include <vector>

#include "precision/replay/reference/arguments.h"

namespace c10 {
class OperatorHandle;
}

namespace ampprof::reference {

class RandomState;
struct Replay;

/// The outcome of running an op call again. README.md here says when each applies.
enum class ReplayOutcome {
  Ran,
  NotNeeded,    ///< nothing to compare: no floating output; for a reference also FP32 throughout
  View,         ///< every floating output shares memory with an argument
  Random,       ///< the op drew random numbers that could not be drawn again
  Unsupported,  ///< there is no way to run it again; `reason` says why
  Failed,       ///< the op threw when run again; `reason` says why, see failure.h
};

/// An op call as it was before it ran: what replay() needs.
struct SavedCall {
  std::vector<c10::IValue> arguments;  ///< as received; those that share written memory are copies if `has_copies`
  bool has_copies = false;
  std::shared_ptr<const RandomState> random;  ///< the generators before the call, where the op may draw; else null
  /// Holds what the call gives in high precision, where whoever saved it has had it run again; else null.
  std::shared_ptr<const Replay> known{};
};

/// Whether arguments that the call overwrites are copied, so that it can be run again.
enum class CopyWritten {
  IfReduced,  ///< only where a tensor among the arguments is of reduced precision
  Always,
};

/// Saves a call off the top of `stack`, before it runs. Without copies this costs one count of a reference per
/// argument.
SavedCall save_call(const c10::OperatorHandle& op, const torch::jit::Stack& stack, CopyWritten copy);

/// Which results a second call is run for.
enum class Results {
  Floating,  ///< floating ones of the same sizes, to be compared
  All,       ///< of any type and sizes; integers of a call that draws are undefined
  AllViews,  ///< also those of a call that gives views alone
};

struct Replay {
  ReplayOutcome outcome = ReplayOutcome::NotNeeded;
  /// One per tensor of `returned`, as tensors_in() lists them; undefined where there is no floating counterpart of the
  /// same shape, or of the same kind of type where more than these were asked for.
  std::vector<at::Tensor> outputs;
  std::string reason;
};

/// Makes the argument for the second call. It must not hand out memory that the call writes: for_replay() does not.
using ArgumentChange = c10::function_ref<c10::IValue(const c10::Argument&, const c10::IValue&)>;

/// Runs a call again, after it ran, on what `change` makes of its arguments, with the random numbers that it drew.
///
/// Nothing that the program can see changes: not the random state, not a buffer that the op writes (running statistics
/// that the schema does not call written included), not a version counter, not a warning. `returned` is what the call
/// returned; for an op that returns nothing it may be written_arguments(). Example, each input rounded to half:
///
///     const auto rounded = [](const c10::Argument&, const at::Tensor& t) { return round_to(t, WhatIfType::Half); };
///     replay(op, saved, returned, [&](const c10::Argument& argument, const c10::IValue& value) {
///       return for_replay(argument, value, rounded);
///     });
Replay replay(const c10::OperatorHandle& op, const SavedCall& saved, c10::ArrayRef<c10::IValue> returned,
              ArgumentChange change, Results wanted = Results::Floating);

/// Whether the op may draw random numbers: it is tagged so, or was given a generator.
bool may_draw(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> arguments);

/// The call computed nothing: every floating result, or every result of the kinds wanted, lies in an argument's memory,
/// which may hold what nobody has written yet.
bool returns_views_only(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> arguments,
                        c10::ArrayRef<c10::IValue> returned, Results wanted = Results::Floating);

/// Returns one per tensor of `returned`: its counterpart in `again`, where both hold floating values of the same shape,
/// or what else is wanted; else an undefined one.
std::vector<at::Tensor> paired(c10::ArrayRef<c10::IValue> again, c10::ArrayRef<c10::IValue> returned,
                               Results wanted = Results::Floating);

/// The tensors of a call's arguments or results in order, lists flattened, undefined ones included.
std::vector<at::Tensor> tensors_in(c10::ArrayRef<c10::IValue> values);

/// Returns the arguments that the schema marks as written: the results of an op that returns nothing.
std::vector<c10::IValue> written_arguments(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> arguments);

/// Runs op calls again in high precision, on the inputs as they were received; in FP64 where FP32 would be TF32 or BF16
/// inside. A call that is FP32 throughout has no local error and is not run, unless a recipe rounded its operands. What
/// replay() promises holds. Stateless: one may serve all threads.
class Reference {
 public:
  /// `precision` is kFloat or kDouble. With CopyWritten::Always the saved calls may be run again in other ways, too:
  /// those that are FP32 throughout and in place.
  explicit Reference(at::ScalarType precision, CopyWritten copy = CopyWritten::IfReduced);

  /// Keeps what is needed before the call so that it can be run again after it.
  SavedCall keep(const c10::OperatorHandle& op, const torch::jit::Stack& stack) const;

  /// `returned` is what the call returned; for an op that returns nothing it may be written_arguments() instead. In a
  /// recipe the call rounded operands of matmuls, which types do not tell: a recipe over FP32 gives FP32.
  Replay run(const c10::OperatorHandle& op, const SavedCall& saved, c10::ArrayRef<c10::IValue> returned,
             bool ran_in_recipe = false) const;

 private:
  at::ScalarType precision_;
  CopyWritten copy_;
};

}  // namespace ampprof::reference
