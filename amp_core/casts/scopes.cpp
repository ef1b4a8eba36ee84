// SPDX-License-Identifier: Apache-2.0
#include "amp_core/casts/scopes.h"

#include <utility>

#include "amp_core/base/scalar_types.h"
#include "amp_core/casts/casts.h"
#include "amp_core/casts/decorators.h"
#include "amp_core/casts/thread_casts.h"

namespace amp::detail {

PolicyScope::PolicyScope(CastPolicy policy) : outer_(std::exchange(casts_of_thread().scope_policy, policy)) {}

PolicyScope::~PolicyScope() { casts_of_thread().scope_policy = outer_; }

void TypesSeen::note(const at::Tensor& tensor) {
  if (!tensor.defined()) return;
  low = low || is_reduced(tensor.scalar_type());
  fp32 = fp32 || tensor.scalar_type() == at::kFloat;
}

std::optional<at::ScalarType> decorated_type(CastPolicy policy, const TypesSeen& seen) {
  if (!casts_enabled()) return {};
  if (policy == CastPolicy::Low) return casts_of_thread().table->low_type();
  const bool is_fp32 = policy == CastPolicy::Fp32 || (seen.low && seen.fp32);
  return is_fp32 ? std::optional(at::kFloat) : std::nullopt;
}

}  // namespace amp::detail
