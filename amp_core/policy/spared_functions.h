// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "amp_core/policy/cast_list.h"
#include "amp_core/policy/cast_rule.h"

namespace amp {

/// Returns rules for a program that did not ask for O1 and must not fail because O1 was injected. The rules cover
/// functions that `list` refuses, functions without a 16-bit kernel in LibTorch, and functions that `list` lacks but
/// LibTorch's own autocast widens. With these rules the functions run in FP32 (huber_loss) or in the widest type of
/// their operands (vdot).
std::vector<CastRule> rules_against_errors(const NamedList& list, int torch_minor);

}  // namespace amp
