// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "amp_core/policy/cast_rule.h"

namespace amp {
namespace detail {

/// Applies one policy to all listed ops on this thread, from construction to destruction.
class [[nodiscard]] PolicyScope {
 public:
  explicit PolicyScope(CastPolicy policy);
  ~PolicyScope();
  PolicyScope(const PolicyScope&) = delete;
  PolicyScope& operator=(const PolicyScope&) = delete;

 private:
  CastPolicy outer_;
};

}  // namespace detail

/// A scope in which every function that the cast list in force names runs in the low type, regardless of the function's
/// policy and of rules for modules. An in-place form gets the policy that a list would derive for it (CastList); a
/// banned function stays banned. If casts are not in force, nothing changes.
///
/// Scopes nest: the innermost applies, and DisableCasts inside a scope takes precedence. Destroy a scope on the thread
/// that created it.
struct [[nodiscard]] HalfFunction : detail::PolicyScope {
  HalfFunction() : PolicyScope(CastPolicy::Low) {}
};
/// A scope like HalfFunction, in which every listed function runs in FP32, banned ones too.
struct [[nodiscard]] FloatFunction : detail::PolicyScope {
  FloatFunction() : PolicyScope(CastPolicy::Fp32) {}
};
/// A scope like HalfFunction, in which every listed function runs in the widest type of its arguments.
struct [[nodiscard]] PromoteFunction : detail::PolicyScope {
  PromoteFunction() : PolicyScope(CastPolicy::Promote) {}
};

}  // namespace amp
