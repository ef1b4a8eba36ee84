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

/// The outcome of running an op call again. README.md in this folder tells when each applies.
enum class ReplayOutcome {
  Ran,
  NotNeeded,    ///< nothing to compare: no floating output; for a reference also FP32 throughout
  View,         ///< every floating output shares memory with an argument
  Random,       ///< it cannot be run again; `reason` says why
  Unsupported,  ///< there is no way to run it again; `reason` says why
  Failed,       ///< the op threw when run again; `reason` says why, see failure.h
};

/// An op call before it ran, with everything that replay() needs.
struct SavedCall {
  std::vector<c10::IValue> arguments;  ///< as received; if `has_copies`, those that share written memory are copies
  bool has_copies = false;
  std::shared_ptr<const RandomState> random;  ///< the generators before the call if the op may draw; else null
  /// The result in high precision if the caller has run it already; else null.
  std::shared_ptr<const Replay> known{};
};

/// Tells whether arguments that the call overwrites are copied, so that it can be run again.
enum class CopyWritten {
  IfReduced,  ///< only if a tensor among the arguments has reduced precision
  Always,
};

/// Saves a call from the top of `stack` before it runs. Without copies this costs one reference count per argument.
SavedCall save_call(const c10::OperatorHandle& op, const torch::jit::Stack& stack, CopyWritten copy);

/// The results for which a second call runs.
enum class Results {
  Floating,  ///< floating ones of the same sizes, to be compared
  All,       ///< of any type and sizes; integers of a call that draws are undefined
  AllViews,  ///< also of a call that returns only views
};

struct Replay {
  ReplayOutcome outcome = ReplayOutcome::NotNeeded;
  /// One per tensor of `returned`, in the order of tensors_in(). Undefined without a floating counterpart of the same
  /// shape; if `wanted` was more than Floating, without a counterpart of the same kind of type.
  std::vector<at::Tensor> outputs;
  std::string reason;
};

/// Makes the argument for the second call. Must not return memory that the call writes; for_replay() never does.
using ArgumentChange = c10::function_ref<c10::IValue(const c10::Argument&, const c10::IValue&)>;

/// Runs a call again after it ran, on the result of `change` for each argument, with the random numbers that it drew.
///
/// Has no effect that the program can see: not on the random state, on buffers that the op writes (including running
/// statistics, which schemas do not mark), on version counters or on warnings. `returned` are the results of the call;
/// for an op without results it may be written_arguments(). Example, with each input rounded to half:
///
///     const auto rounded = [](const c10::Argument&, const at::Tensor& t) { return round_to(t, WhatIfType::Half); };
///     replay(op, saved, returned, [&](const c10::Argument& argument, const c10::IValue& value) {
///       return for_replay(argument, value, rounded);
///     });
Replay replay(const c10::OperatorHandle& op, const SavedCall& saved, c10::ArrayRef<c10::IValue> returned,
              ArgumentChange change, Results wanted = Results::Floating);

/// Returns whether the op may draw random numbers: it is tagged so, or was given a generator.
bool may_draw(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> arguments);

/// Returns whether the call computed nothing: every floating result, or every result of the wanted kinds, is in an
/// argument's memory, which may be uninitialized.
bool returns_views_only(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> arguments,
                        c10::ArrayRef<c10::IValue> returned, Results wanted = Results::Floating);

/// Returns one tensor per tensor of `returned`: its counterpart in `again` if both are floating with the same shape, or
/// match what else is wanted; else an undefined one.
std::vector<at::Tensor> paired(c10::ArrayRef<c10::IValue> again, c10::ArrayRef<c10::IValue> returned,
                               Results wanted = Results::Floating);

/// Returns the tensors of a call's arguments or results in order, with lists flattened and undefined ones included.
std::vector<at::Tensor> tensors_in(c10::ArrayRef<c10::IValue> values);

/// Returns the arguments that the schema marks as written, which are the results of an op that returns nothing.
std::vector<c10::IValue> written_arguments(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> arguments);

/// Runs op calls again in high precision, on the inputs as received; in FP64 where FP32 would use TF32 or BF16. A call
/// entirely in FP32 has no local error and is not run, unless a recipe rounded its operands. Has no more effects than
/// replay(). Stateless: all threads may share one.
class Reference {
 public:
  /// `precision` is kFloat or kDouble. With CopyWritten::Always, saved calls can be run again in other ways too, even
  /// in-place calls entirely in FP32.
  explicit Reference(at::ScalarType precision, CopyWritten copy = CopyWritten::IfReduced);

  /// Saves everything before the call that is needed to run it again.
  SavedCall keep(const c10::OperatorHandle& op, const torch::jit::Stack& stack) const;

  /// `returned` are the results of the call; for an op without results it may be written_arguments(). `ran_in_recipe`
  /// tells that a recipe rounded the operands of matmuls. Types do not show it, since a recipe over FP32 gives FP32.
  Replay run(const c10::OperatorHandle& op, const SavedCall& saved, c10::ArrayRef<c10::IValue> returned,
             bool ran_in_recipe = false) const;

 private:
  at::ScalarType precision_;
  CopyWritten copy_;
};

}  // namespace ampprof::reference
