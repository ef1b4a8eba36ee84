// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>

#include <span>

#include "amp_core/casts/cast_list.h"

namespace amp {

/// Applies a policy to the arguments of a call. Throws c10::NotImplementedError, or c10::Error for an in-place op, with
/// a sentence where the policy is a ban.
void cast_arguments(CastPolicy policy, const c10::OperatorHandle& op, std::span<c10::IValue> arguments);

}  // namespace amp
