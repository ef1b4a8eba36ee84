// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>
#include <ATen/core/stack.h>

#include "precision/replay/reference/arithmetic.h"
#include "precision/replay/variant/decisions.h"
#include "precision/replay/variant/marked_memory.h"
#include "precision/replay/variant/variant_memory.h"

namespace ampprof::variant {

enum class Pass { Forward, Backward };

/// Type of a value that the program read from a tensor (item()) and that differs in the variant; else None.
enum class OtherValue { None, Number, Flag };

/// Result of a call in a variant.
struct Followed : reference::Replay {
  Decisions decisions = {};
  bool took_run_integers = false;  ///< the variant's own integers were invalid indices, so the run's were used
  bool changed_sizes = false;      ///< results have sizes other than in the run, arguments do not: gradients stop here
  OtherValue other_value = OtherValue::None;
};

/// Runs the step a second time along with the program, in another arithmetic. Every leaf op call runs again on the
/// counterparts of its arguments, and the results become the counterparts of its results. A variant in exact arithmetic
/// is called a shadow: the difference between a tensor and its counterpart is the inherited error plus the error of its
/// own op.
///
/// Integers and masks of the forward pass are the variant's own, whatever sizes result from them. The variant uses the
/// run's random draws, masks that a backward pass computes, overflow flags and loss scales. It also uses the run's
/// gradients of values that depend on results of other sizes, since the program's graph has the run's sizes. Has no
/// effect that the program can observe. Thread-safe; prepare() and follow() for one call must run on one thread.
class Variant {
 public:
  /// `arithmetic` must outlive the variant.
  explicit Variant(reference::Arithmetic& arithmetic)
      : arithmetic_(arithmetic), precision_(arithmetic.precision()), memory_(precision_) {}

  /// Saves what follow() needs from the top of `stack` before the call runs. Memory that the call will overwrite gets
  /// its counterpart here, while it still has the old values.
  reference::SavedCall prepare(const c10::OperatorHandle& op, const torch::jit::Stack& stack);

  /// Runs a finished call on counterparts. If that is impossible, the results become their own counterparts, and the
  /// outcome says why. NotNeeded if neither an argument nor a result diverges. Waits for a GPU if the call makes
  /// decisions.
  Followed follow(const c10::OperatorHandle& op, reference::SavedCall prepared, c10::ArrayRef<c10::IValue> returned,
                  Pass pass = Pass::Forward);

  /// Returns the counterpart of a tensor in the program. Undefined if there is none, or if an earlier op could not be
  /// followed, so that the counterpart is not the true value in the variant.
  at::Tensor of(const at::Tensor& tensor);

  /// Returns whether the tensor depends on decisions that differ from the run's.
  bool depends_on_decisions(const at::Tensor& tensor) const { return decided_.contains(tensor); }

  VariantMemory& memory() { return memory_; }

  /// Restarts from the program's values: every tensor is its own counterpart.
  void restart();

  /// Restarts in the middle of a step. Until the next restart() no tensor has a valid counterpart.
  void restart_lost();

  /// Discards all counterparts until the next restart(), because the program took another branch than the variant
  /// would.
  void lose_all() { lost_.reset(/*is_all=*/true); }

  /// Marks the results of a call that was not followed: they have no valid counterpart.
  void lose(c10::ArrayRef<c10::IValue> results) { mark(lost_, results); }

 private:
  using Arguments = c10::ArrayRef<c10::IValue>;

  /// A call that runs on counterparts.
  struct Running {
    const c10::OperatorHandle& op;
    const reference::SavedCall& prepared;
    Arguments results;
    Pass pass;
    bool has_other_sizes = false;     ///< an argument has sizes other than in the run
    bool takes_own_integers = false;  ///< an argument has integers that differ from the run's
  };

  bool diverges(const reference::SavedCall& prepared, Arguments returned);
  bool takes_marked(const MarkedMemory& marked, const c10::OperatorHandle& op, Arguments arguments) const;
  bool any_argument(const Running& call, bool (VariantMemory::*is_so)(const at::Tensor&), bool are_integers);
  static void mark(MarkedMemory& memory, Arguments tensors);
  void follow_run(Arguments results, Arguments written);
  OtherValue value_read(const c10::OperatorHandle& op, Arguments arguments, Arguments returned);
  bool may_take_own_integers(const Running& call);
  Followed run(const Running& call);
  c10::IValue counterpart(const Running& call, const c10::Argument& argument, const c10::IValue& value);
  void keep_results(const Running& call, Followed& again);
  void keep_values(const Running& call, const at::Tensor& result, at::Tensor own, Followed& again);
  void keep_integers(const Running& call, const at::Tensor& result, at::Tensor own, Followed& again, bool is_in_place);

  reference::Arithmetic& arithmetic_;
  const at::ScalarType precision_;
  VariantMemory memory_;
  MarkedMemory lost_;
  MarkedMemory decided_;  ///< memory that depends on decisions that differ from the run's
  MarkedMemory resized_;  ///< memory that depends on results with sizes other than in the run
};

}  // namespace ampprof::variant
