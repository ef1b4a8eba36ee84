// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "amp_core/policy/cast_rule.h"

namespace amp {
namespace detail {

/// While it lives, every listed op of this thread follows one policy.
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

/// Scopes in which every function on the list in force runs in the low type, in FP32, or in the widest type of its
/// arguments, whatever the list and module rules say. In-place forms follow as they do from a list. A banned function
/// stays banned, except in FP32. Without casts in force, nothing changes.
///
/// They nest, the innermost counts, and a DisableCasts inside one wins. Destroy them on their thread.
struct [[nodiscard]] HalfFunction : detail::PolicyScope {
  HalfFunction() : PolicyScope(CastPolicy::Low) {}
};
struct [[nodiscard]] FloatFunction : detail::PolicyScope {
  FloatFunction() : PolicyScope(CastPolicy::Fp32) {}
};
struct [[nodiscard]] PromoteFunction : detail::PolicyScope {
  PromoteFunction() : PolicyScope(CastPolicy::Promote) {}
};

}  // namespace amp
