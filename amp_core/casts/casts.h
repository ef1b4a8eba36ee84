// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "amp_core/policy/policy.h"

namespace amp {

/// Enables casts on the calling thread: from now on, functions run in the type that the policy names. Backward is not
/// cast, except forward code that backward recomputes (activation checkpointing). Does nothing if casts are enabled
/// already. Throws Error for a policy that names an unknown op.
///
/// The policy is the one that this thread registered (registration.h), else the one of the last initialize() at O1 on
/// any thread, else Apex's list. Rules in the file that the environment variable AMP_POLICY names override this policy.
/// initialize() calls this function at O1; a program calls it on its other threads that run forward passes.
void enable_casts_on_this_thread();
/// Enables casts with this policy; registrations are ignored.
void enable_casts_on_this_thread(const Policy& policy);

/// Replaces the calling thread's policy if casts are in force on this thread, else returns false. Other threads keep
/// their policies. For a policy that names an unknown op, throws Error and changes nothing.
bool change_casts_on_this_thread(const Policy& policy);

/// Returns whether casts are in force on any thread. Thread-safe.
bool any_thread_casts();

/// Checks types without casting: a function that O1 would cast to half throws Error if its tensors have mixed types.
/// The Error names the tensors. At O2 and O3 mixed types come from a call that bypassed amp::forward(). initialize()
/// calls this function at those levels.
void enable_type_checks_on_this_thread();

/// Disables casts and type checks on the calling thread, and allows it to register functions again.
void disable_casts_on_this_thread();

/// Returns whether casts are in force on the calling thread now (false inside a DisableCasts scope).
bool casts_enabled();

/// Returns the policy in force on the calling thread or, without casts, the policy that enable_casts_on_this_thread()
/// would use now. To run forward passes with the same casts on another thread, pass the policy to
/// enable_casts_on_this_thread() there.
Policy casts_of_this_thread();

/// Drops the FP16 or BF16 copies of weights that the calling thread has cached.
void clear_cast_cache();

/// A scope without casts, for an optimizer's step or for a function that should run in FP32.
///
/// Guards nest. Destroy a guard on the thread that created it. A torch.autocast region inside the scope works as usual.
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
