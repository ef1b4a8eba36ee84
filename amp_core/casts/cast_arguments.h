// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>

#include <cstdint>
#include <optional>
#include <span>

#include "amp_core/casts/cast_cache.h"
#include "amp_core/policy/cast_rule.h"

namespace amp {

/// Properties of an op's arguments that a cast kernel needs, read once from the op's schema.
struct ArgumentProperties {
  explicit ArgumentProperties(const c10::FunctionSchema& schema);

  bool is_cast(std::size_t argument) const { return argument >= 64 || (never_cast >> argument & 1U) == 0; }

  std::size_t count;
  std::optional<std::size_t> dtype = std::nullopt;  ///< index of optional `dtype`, which sets the output's type
  std::uint64_t never_cast = 0;                     ///< bit i is set if the op writes argument i
};

/// One call of an op to which a policy applies.
struct CastCall {
  CastPolicy policy;
  at::ScalarType low_type;
  const c10::OperatorHandle& op;
  const ArgumentProperties& places;
  CastCache& cache;
};

/// Applies the policy to the arguments of the call. If the policy refuses the call, throws c10::NotImplementedError for
/// a banned op, c10::Error for an in-place op, and Error for mixed types.
void cast_arguments(const CastCall& call, std::span<c10::IValue> arguments);

}  // namespace amp
