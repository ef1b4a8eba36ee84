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
  NotNeeded,    ///< nothing to compare: no floating output, or, for a reference, only FP32
  View,         ///< every floating output shares memory with an argument
  Random,       ///< random op that cannot be run again; `reason` says why
  Unsupported,  ///< the op cannot be run again; `reason` says why
  Failed,       ///< the op threw when run again; `reason` says why, see failure.h
};

/// An op call before it ran, with all that replay() needs.
struct SavedCall {
  std::vector<c10::IValue> arguments;  ///< as received; if `has_copies`, arguments that share written memory are copies
  bool has_copies = false;
  std::shared_ptr<const RandomState> random;  ///< generator states before the call if the op may draw; else null
  /// Result in high precision if the caller has already computed it; else null.
  std::shared_ptr<const Replay> known{};
};

/// Selects whether arguments that the call overwrites are copied, so that the call can be run again.
enum class CopyWritten {
  IfReduced,  ///< only if a tensor among the arguments has reduced precision
  Always,
};

/// Saves a call from the top of `stack` before it runs. Without copies this costs one reference count per argument.
SavedCall save_call(const c10::OperatorHandle& op, const torch::jit::Stack& stack, CopyWritten copy);

/// Selects the results for which a second call runs.
enum class Results {
  Floating,  ///< floating results of the same sizes, to be compared
  All,       ///< results of any type and size; integers of a random call are undefined
  AllViews,  ///< like All, also for a call that returns only views
};

struct Replay {
  ReplayOutcome outcome = ReplayOutcome::NotNeeded;
  /// Results of the second call: one tensor per tensor in `returned`, from paired().
  std::vector<at::Tensor> outputs;
  std::string reason;
};

/// Makes an argument for the second call. Must not return memory that the call writes; for_replay() never does.
using ArgumentChange = c10::function_ref<c10::IValue(const c10::Argument&, const c10::IValue&)>;

/// Runs a call again after the program's call, with the result of `change` for each argument and the same random
/// numbers.
///
/// Has no effect that the program can observe: not on the random state, on buffers that the op writes (including
/// running statistics, which schemas do not mark), on version counters or on warnings. `returned` are the results of
/// the program's call; for an op without results, written_arguments(). Example, with each input rounded to half:
///
///     const auto rounded = [](const c10::Argument&, const at::Tensor& t) { return round_to(t, WhatIfType::Half); };
///     replay(op, saved, returned, [&](const c10::Argument& argument, const c10::IValue& value) {
///       return for_replay(argument, value, rounded);
///     });
Replay replay(const c10::OperatorHandle& op, const SavedCall& saved, c10::ArrayRef<c10::IValue> returned,
              ArgumentChange change, Results wanted = Results::Floating);

/// Returns whether the op may draw random numbers: it is tagged so, or has a generator argument.
bool may_draw(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> arguments);

/// Returns whether the call computed nothing: every floating result (or every result of the wanted types) is in the
/// memory of an argument, which may be uninitialized.
bool returns_views_only(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> arguments,
                        c10::ArrayRef<c10::IValue> returned, Results wanted = Results::Floating);

/// Returns one tensor per tensor in `returned`, in the order of tensors_in(): the tensor at the same index in `again`,
/// or an undefined tensor if the two are not a pair. With Results::Floating both must be floating and of the same
/// shape; otherwise both or neither must be floating.
std::vector<at::Tensor> paired(c10::ArrayRef<c10::IValue> again, c10::ArrayRef<c10::IValue> returned,
                               Results wanted = Results::Floating);

/// Returns the tensors of a call's arguments or results in order, with lists flattened, undefined tensors included.
std::vector<at::Tensor> tensors_in(c10::ArrayRef<c10::IValue> values);

/// Returns the arguments that the schema marks as written, which are the results of an op that returns nothing.
std::vector<c10::IValue> written_arguments(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> arguments);

/// Runs op calls again in high precision on the inputs as received; in FP64 where FP32 would use TF32 or BF16. A call
/// entirely in FP32 has no local error and is not run, unless a recipe rounded its operands. Has no effect that the
/// program can observe, like replay(). Stateless: all threads may share one.
class Reference {
 public:
  /// `precision` is kFloat or kDouble. With CopyWritten::Always, other replays of a saved call are possible too, even
  /// of in-place calls entirely in FP32.
  explicit Reference(at::ScalarType precision, CopyWritten copy = CopyWritten::IfReduced);

  /// Saves, before the call, all that is needed to run the call again.
  SavedCall keep(const c10::OperatorHandle& op, const torch::jit::Stack& stack) const;

  /// `returned` are the results of the call; for an op without results, written_arguments(). `ran_in_recipe` is true if
  /// a recipe rounded the operands of matmuls. The types do not show this, since a recipe turns FP32 into FP32.
  Replay run(const c10::OperatorHandle& op, const SavedCall& saved, c10::ArrayRef<c10::IValue> returned,
             bool ran_in_recipe = false) const;

 private:
  at::ScalarType precision_;
  CopyWritten copy_;
};

}  // namespace ampprof::reference
