// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "reports/queries/sketches.h"

namespace ampprof::compare {

/// Sketches of one run, in program order.
using Sketches = std::vector<queries::SketchRow>;

bool same_bits(const Sketch& a, const Sketch& b);

/// Returns the sketch in `b` of each call of `a`, null where `b` makes no such call. Calls match by step, phase,
/// module, op and place in the step, and there by ordinal, if both runs make as many. Else, as between two versions of
/// a library, ordinals say nothing: the calls are aligned, so that as many as possible have the same outputs, inputs or
/// sizes.
std::vector<const queries::SketchRow*> paired_calls(const Sketches& a, const Sketches& b);

}  // namespace ampprof::compare
