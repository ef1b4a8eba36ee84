// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "amp_core/policy/policy.h"

namespace amp {

/// Puts casts in force on the calling thread: from now on, functions run in the type that the policy names. Backward is
/// not cast; forward that it computes again (activation checkpointing) is. Does nothing where casts are in force.
/// Throws Error for a policy that names an unknown op.
///
/// Without a policy it is the one that this thread registered (registration.h), else the one that initialize() put in
/// force at O1, in whatever thread; else Apex's list. Rules of the file that the environment variable AMP_POLICY names
/// come on top. initialize() calls it at O1; a program with forward passes on other threads calls it there.
void enable_casts_on_this_thread();
void enable_casts_on_this_thread(const Policy& policy);

/// Puts another policy in force where casts are in force on the calling thread; other threads keep theirs. Returns
/// false where no function is cast. Throws Error for a policy that names an unknown op; then nothing changes.
bool change_casts_on_this_thread(const Policy& policy);

/// Returns whether casts are in force on any thread. Callable from any thread.
bool any_thread_casts();

/// Casts nothing, but refuses, in an Error that names them, tensors of mixed types where O1 would cast to half: at O2
/// and O3 they come from a call that did not go through amp::forward(). initialize() calls it at those levels.
void enable_type_checks_on_this_thread();

/// Ends what either of these began, and lets the thread register functions again.
void disable_casts_on_this_thread();

/// Whether casts are in force on the calling thread now (not inside a DisableCasts scope).
bool casts_enabled();

/// The policy in force on the calling thread, or the one that would be if casts were enabled now. To run forward passes
/// on another thread as on this one, hand it to enable_casts_on_this_thread() there.
Policy casts_of_this_thread();

/// Forgets the low copies of weights that the calling thread holds.
void clear_cast_cache();

/// A scope in which nothing is cast: the optimizer's step, or a function that the user wants in FP32 throughout.
///
/// Guards nest, and must die on the thread that made them. A torch.autocast region inside the scope works as usual.
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
