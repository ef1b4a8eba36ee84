// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "precision/advice/candidates.h"

namespace ampprof::advice {

/// A call site that began overflow events and that FP32 alone does not repair: its result is not finite in FP32 either,
/// or its inputs are wrong already.
struct NotRepaired {
  std::string call_site;
  std::string note;  ///< sentences: why FP32 does not help
};

/// Problems that registering a function cannot solve.
struct BeyondPolicies {
  std::vector<std::string> notes;  ///< sentences, except those of `not_repaired`
  std::vector<NotRepaired> not_repaired;
};

/// Marks the candidates that must run in FP32 whatever their impact on the loss (FunctionInModule::reasons,
/// FunctionInModule::overflows):
///
/// - A forward op that turned finite inputs into NaN or inf although FP32 can hold its result: it began an overflow
///   event, or its reference or shadow exceeds 65504. Ops that only propagate NaN or inf are not marked, nor are
///   expected infinities, such as the -inf of a mask. An op that computes in the type of its inputs is not marked if an
///   earlier overflow origin in its module made these inputs: once the origin runs in FP32, so does this op.
/// - A backward op that began an overflow while the loss scale kept falling, unless its gradient fits at a smaller
///   scale. A loss scale that starts too high, or that grows until gradients overflow, is not the function's fault.
/// - A backward op that flushes so much of its gradient to zero that a quarter of it is wrong, if no safe loss scale
///   helps.
///
/// Returns the problems that remain.
BeyondPolicies mark_overflow_origins(std::vector<FunctionInModule>& candidates, const Evidence& evidence);

}  // namespace ampprof::advice
