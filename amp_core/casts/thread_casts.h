// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/ivalue.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "amp_core/casts/cast_cache.h"
#include "amp_core/casts/cast_table.h"
#include "amp_core/torch_hooks/autocast_keys.h"
#include "amp_core/torch_hooks/recompute.h"

namespace amp {

/// A thread whose forward another thread computes again. `generation` changes with any thread's casts.
struct CastLender {
  std::uint64_t thread = 0;  ///< at::RecordFunction::currentThreadId()
  std::uint64_t generation = 0;

  bool operator==(const CastLender&) const = default;
};

/// Makes the calling thread's table known to the process: backward of CUDA tensors runs on threads of autograd's own,
/// which inherit the autocast keys of the thread that called backward(), but not its thread_local variables. Null: the
/// thread casts no more.
void lend_casts(std::shared_ptr<const CastTable> table);

/// Lends on a table that the calling thread has borrowed itself: nodes that it records while it computes forward
/// again may run on a third thread.
void pass_on_casts(std::shared_ptr<const CastTable> table);

/// Costs one load.
bool anyone_lends_casts();
std::uint64_t generation_of_cross_thread_casts();

/// Null where the thread casts nothing.
std::shared_ptr<const CastTable> casts_lent_by(std::uint64_t thread);

/// Tells the cast kernels what to do for a call on this thread.
enum class CastMode {
  NotOurs,  ///< casts are not in force: do what LibTorch did before
  Pass,     ///< casts are in force, and not for this call: an op on no list, backward's own, inside a kernel
  Cast,     ///< the op's policy applies
};

/// Casts of one thread.
struct ThreadCasts {
  std::shared_ptr<const CastTable> table;      ///< null: nothing was enabled, and none is borrowed
  int disabled = 0;                            ///< DisableCasts scopes that this thread is in
  CastPolicy scope_policy = CastPolicy::Pass;  ///< of the innermost HalfFunction and its sisters; Pass: there is none
  AutocastKeys keys_before = {};
  CastCache cache = {};
  CastCache recompute_cache = {};                ///< of one node that computes forward again; other nodes never see it
  BackwardPlace recompute_place = {};            ///< that node
  std::optional<CastLender> borrowed_from = {};  ///< whose table this is, if it is not the thread's own

  ThreadCasts() = default;
  ~ThreadCasts();
  ThreadCasts(const ThreadCasts&) = delete;
  ThreadCasts& operator=(const ThreadCasts&) = delete;

  bool is_own() const { return table && !borrowed_from; }
  bool in_force() const { return table && disabled == 0; }

  /// For a call of the op that has this slot.
  CastMode mode(std::size_t slot);
  CastPolicy policy_of(std::size_t slot, std::span<const c10::IValue> arguments) const;

  /// For a call that casts now. Copies that a node makes while it computes forward again end with it: no gradient may
  /// ever come through them, and they would outlive the weight's next update.
  CastCache& cache_of_call();

  /// A thread of autograd's own has no table: it takes the one of the thread whose forward it computes again, for as
  /// long as it does.
  void borrow_or_return();
};

/// May be a thread of autograd's own.
ThreadCasts& casts_of_thread();

}  // namespace amp
