// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "amp_core/policy/policy.h"

namespace amp {

/// Enables casts on the calling thread: from now on, functions run in the type that the policy names. Backward is not
/// cast, but forward that backward computes again (activation checkpointing) is. Does nothing if casts are enabled
/// already. Throws Error for a policy that names an unknown op.
///
/// The policy is the one that this thread registered (registration.h), else the one that initialize() put in
/// force at O1, in whatever thread; else Apex's list. Rules of the file that the environment variable AMP_POLICY names
/// come on top. initialize() calls it at O1; a program with forward passes on other threads calls it there.
void enable_casts_on_this_thread();
/// Puts casts in force with this policy, whatever was registered.
void enable_casts_on_this_thread(const Policy& policy);

/// Replaces the policy of the calling thread if casts are in force there; other threads keep theirs. Returns false if
/// no function is cast. For a policy that names an unknown op, throws Error and changes nothing.
bool change_casts_on_this_thread(const Policy& policy);

/// Returns whether casts are in force on any thread. Callable from any thread.
bool any_thread_casts();

/// Checks types without casting. Tensors of mixed types where O1 would cast to half throw an Error that names them: at
/// O2 and O3 they come from a call that did not go through amp::forward(). initialize() calls it at those levels.
void enable_type_checks_on_this_thread();

/// Ends the effect of either function, and lets the thread register functions again.
void disable_casts_on_this_thread();

/// Returns whether casts are in force on the calling thread now (false inside a DisableCasts scope).
bool casts_enabled();

/// Returns the policy in force on the calling thread, or the one that would be if casts were enabled now. To run
/// forward passes on another thread as on this one, hand it to enable_casts_on_this_thread() there.
Policy casts_of_this_thread();

/// Drops the low copies of weights that the calling thread holds.
void clear_cast_cache();

/// A scope without casts, for an optimizer's step or for a function that should run in FP32.
///
/// Guards nest and must be destroyed on their thread. A torch.autocast region inside the scope works as usual.
class [[nodiscard]] DisableCasts {
 public:
  DisableCasts();
  ~DisableCasts();
  DisableCasts(const DisableCasts&) = delete;
  DisableCasts& operator=(const DisableCasts&) = delete;

 private:
  bool were_enabled_;
  bool cpu_key_;
  bool cuda_key_;
};

}  // namespace amp
