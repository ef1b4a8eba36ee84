// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "reports/queries/sketches.h"

namespace ampprof::compare {

/// Sketches of one run, in program order.
using Sketches = std::vector<queries::SketchRow>;

bool same_bits(const Sketch& a, const Sketch& b);

/// Returns the sketch in `b` of each call of `a`; null if `b` lacks the call. Calls match by step, phase, module, op
/// and position in the step. Calls that agree in all of these match by ordinal if both runs make the same number of
/// them. If the numbers differ, for example with another version of a library, ordinals do not correspond. Then an
/// alignment in program order pairs as many calls as possible that have the same outputs, inputs or sizes.
std::vector<const queries::SketchRow*> paired_calls(const Sketches& a, const Sketches& b);

}  // namespace ampprof::compare
