// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/ivalue.h>

#include <memory>
#include <span>

#include "amp_core/casts/cast_cache.h"
#include "amp_core/casts/cast_table.h"
#include "amp_core/torch_hooks/autocast_keys.h"

namespace amp {

/// What the cast kernels must do for a call on this thread.
enum class CastMode {
  NotOurs,  ///< casts are not in force: do what LibTorch did before
  Pass,     ///< casts are in force, and not for this call: an op on no list, backward, inside a kernel
  Cast,     ///< the op's policy applies
};

/// Casts of one thread.
struct ThreadCasts {
  std::shared_ptr<const CastTable> table;      ///< null: nothing was enabled
  bool in_force = false;                       ///< false in a DisableCasts scope, too
  CastPolicy scope_policy = CastPolicy::Pass;  ///< of the innermost HalfFunction and its sisters; Pass: there is none
  AutocastKeys keys_before = {};
  CastCache cache = {};

  ThreadCasts() = default;
  ~ThreadCasts();
  ThreadCasts(const ThreadCasts&) = delete;
  ThreadCasts& operator=(const ThreadCasts&) = delete;

  /// For a call of the op that has this slot.
  CastMode mode(std::size_t slot) const;
  CastPolicy policy_of(std::size_t slot, std::span<const c10::IValue> arguments) const;
};

ThreadCasts& casts_of_thread();

}  // namespace amp
