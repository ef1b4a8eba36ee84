// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "precision/advice/candidates.h"

namespace ampprof::advice {

/// Marks the candidates that must run in FP32 whatever their impact on the loss (FunctionInModule::reasons,
/// FunctionInModule::overflows):
///
/// - a forward op that turned finite inputs into NaN or inf while FP32 holds its result: it began an overflow event, or
///   its reference, or the shadow, is beyond 65504. Not the ops that this spread through, nor a NaN or inf that was
///   expected, such as the -inf of a mask. Sums and other arithmetic that computes in the type of what it takes is left
///   out where a overflow origin before it in its module made what it takes: it is FP32 as soon as that is;
/// - a backward op that began an overflow while the scale kept sliding. A scale that begins too high, or grows until
///   gradients overflow, is not a function's fault;
/// - a backward op that flushes so much of its gradient that a quarter of it is wrong, where no safe scale helps.
///
/// Returns sentences about what was seen and cannot be helped by registering a function.
std::vector<std::string> mark_overflow_origins(std::vector<FunctionInModule>& candidates, const Evidence& evidence);

}  // namespace ampprof::advice
