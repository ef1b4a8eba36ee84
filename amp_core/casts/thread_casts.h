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

/// The thread that owns borrowed casts: another thread uses the casts while it runs a node that the owner recorded.
/// `generation` changes whenever any thread changes its casts, so that an outdated table is detected.
struct CastLender {
  std::uint64_t thread = 0;  ///< at::RecordFunction::currentThreadId()
  std::uint64_t generation = 0;

  bool operator==(const CastLender&) const = default;
};

/// Publishes the calling thread's table, so that other threads can borrow it. Backward of CUDA tensors runs on
/// autograd's threads, which inherit the autocast keys of the thread that called backward(), but not its thread_local
/// variables. Null withdraws the table.
void lend_casts(std::shared_ptr<const CastTable> table);

/// Lends a table that the calling thread has itself borrowed: nodes that the thread records while it recomputes forward
/// may run on a third thread.
void pass_on_casts(std::shared_ptr<const CastTable> table);

/// Returns whether any thread lends casts. Costs one load.
bool anyone_lends_casts();
std::uint64_t generation_of_cross_thread_casts();

/// Returns the table that a thread lends; null if it lends none.
std::shared_ptr<const CastTable> casts_lent_by(std::uint64_t thread);

/// Action of the cast kernels for a call on this thread.
enum class CastMode {
  CastsOff,  ///< casts are not in force: run LibTorch's own kernel
  Pass,      ///< casts do not apply to this call: an op on no list, backward's own call, a call inside a kernel
  Cast,      ///< the op's policy applies
};

/// Casts of one thread.
struct ThreadCasts {
  std::shared_ptr<const CastTable> table;      ///< null if casts are neither enabled nor borrowed
  int disabled = 0;                            ///< number of DisableCasts scopes around the current code
  CastPolicy scope_policy = CastPolicy::Pass;  ///< set by the innermost HalfFunction or similar scope; Pass if none
  AutocastKeys keys_before = {};
  CastCache cache = {};
  CastCache recompute_cache = {};                ///< copies made by the node at `recompute_position`
  BackwardPosition recompute_position = {};      ///< the node that recomputes forward on this thread
  std::optional<CastLender> borrowed_from = {};  ///< the owner of the table, if it is not this thread

  ThreadCasts() = default;
  ~ThreadCasts();
  ThreadCasts(const ThreadCasts&) = delete;
  ThreadCasts& operator=(const ThreadCasts&) = delete;

  bool is_own() const { return table && !borrowed_from; }
  bool in_force() const { return table && disabled == 0; }

  /// Returns the mode for a call of the op with this slot.
  CastMode mode(std::size_t slot);
  CastPolicy policy_of(std::size_t slot, std::span<const c10::IValue> arguments) const;

  /// Returns the cache for a call that is being cast. Copies made by a node that recomputes forward are dropped with
  /// the node: possibly no gradient passes through them, and then they would not expire before the weight's next
  /// update.
  CastCache& cache_of_call();

  /// If casts apply inside the node that this thread runs (casts_apply_in_node()), borrows the table of the thread
  /// that recorded the node; else drops a borrowed table. Autograd's threads have no table of their own.
  void borrow_or_return();
};

/// Returns the casts of this thread, which may be one of autograd's.
ThreadCasts& casts_of_thread();

}  // namespace amp
