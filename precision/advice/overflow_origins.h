// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "precision/advice/candidates.h"

namespace ampprof::advice {

/// A call site that made NaN or inf, and whose result FP32 does not hold either.
struct NotHeld {
  std::string call_site;
  std::string note;  ///< sentences
};

/// Problems that registering a function cannot solve.
struct BeyondPolicies {
  std::vector<std::string> notes;  ///< sentences about all but `not_held`
  std::vector<NotHeld> not_held;
};

/// Marks the candidates that must run in FP32 whatever their impact on the loss (FunctionInModule::reasons,
/// FunctionInModule::overflows):
///
/// - A forward op that turned finite inputs into NaN or inf while FP32 can hold its result: it began an overflow event,
/// or its reference or the shadow is beyond 65504. Ops that the NaN or inf spread through do not count, nor does an
/// expected one, such as the -inf of a mask. Arithmetic that computes in the type of its inputs does not count either if
/// an overflow origin before it in its module made these inputs: it runs in FP32 as soon as that one does.
/// - A backward op that began an overflow while the scale kept sliding, unless a smaller scale holds its gradient. A
/// function is not to blame for a scale that begins too high or that grows until gradients overflow.
/// - A backward op that flushes so much of its gradient that a quarter of it is wrong, where no safe scale helps.
///
/// Returns the problems that remain.
BeyondPolicies mark_overflow_origins(std::vector<FunctionInModule>& candidates, const Evidence& evidence);

}  // namespace ampprof::advice
