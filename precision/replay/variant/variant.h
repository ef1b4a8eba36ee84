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

/// An integer or a flag that the program read of a tensor, where the variant has another.
enum class OtherValue { None, Number, Flag };

/// Tells what came of a call in a variant.
struct Followed : reference::Replay {
  Decisions decisions = {};
  bool took_run_integers = false;  ///< the variant's own would have named places outside of a table
  bool changed_sizes = false;      ///< a result has other sizes, and no argument had: gradients end
  OtherValue other_value = OtherValue::None;
};

/// The step once more beside the program, in another arithmetic: every leaf op call runs again on the counterparts of
/// its arguments, and gives its results theirs. In exact arithmetic it is called a shadow: what a tensor differs from
/// its counterpart is the error that it inherited and what its own op added.
///
/// Integers and masks of the forward pass are its own, whatever sizes they lead to. Random draws, the masks that a
/// backward pass computes, and the overflow flags and scales of loss scaling are those of the run. So are gradients of
/// what depends on results of other sizes: the program's graph has the run's. Nothing that the program can see changes.
/// Thread-safe; prepare() and follow() of a call on one thread.
class Variant {
 public:
  /// `arithmetic` outlives this.
  explicit Variant(reference::Arithmetic& arithmetic)
      : arithmetic_(arithmetic), precision_(arithmetic.precision()), memory_(precision_) {}

  /// Saves what follow() needs of a call, off the top of `stack`, before it runs. What the call will overwrite gets a
  /// counterpart now, while it holds its values.
  reference::SavedCall prepare(const c10::OperatorHandle& op, const torch::jit::Stack& stack);

  /// Runs the call on counterparts, after it ran. Where that is not possible, the results are their own counterparts,
  /// and the outcome says why; NotNeeded where nothing that went in or came out diverges. Waits for a GPU where the
  /// call decides.
  Followed follow(const c10::OperatorHandle& op, reference::SavedCall prepared, c10::ArrayRef<c10::IValue> returned,
                  Pass pass = Pass::Forward);

  /// Returns the counterpart of what a program trains on; undefined where there is none, or where an op on the way to
  /// it could not be followed, so that the counterpart is not what the variant would have come to.
  at::Tensor of(const at::Tensor& tensor);

  /// Whether decisions that differ from the run's are on the way to it.
  bool depends_on_decisions(const at::Tensor& tensor) const { return decided_.contains(tensor); }

  VariantMemory& memory() { return memory_; }

  /// Begins where the program is: every tensor is its own counterpart again.
  void restart();

  /// Begins there in the middle of a step: until the next restart() nothing has a counterpart that it would have come
  /// to.
  void restart_lost();

  /// Until the next restart() nothing has a counterpart that it would have come to: the program went another way.
  void lose_all() { lost_.reset(/*is_all=*/true); }

  /// Marks what a call gave that was not followed.
  void lose(c10::ArrayRef<c10::IValue> results) { mark(lost_, results); }

 private:
  using Arguments = c10::ArrayRef<c10::IValue>;

  /// A call that runs on counterparts.
  struct Running {
    const c10::OperatorHandle& op;
    const reference::SavedCall& prepared;
    Arguments results;
    Pass pass;
    bool has_other_sizes = false;     ///< an argument has
    bool takes_own_integers = false;  ///< an argument has integers of its own
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
  MarkedMemory decided_;  ///< depends on decisions that differ
  MarkedMemory resized_;  ///< depends on results of other sizes
};

}  // namespace ampprof::variant
