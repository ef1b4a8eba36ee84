// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "reports/queries/sketches.h"

namespace ampprof::compare {

/// Sketches of one run, in program order.
using Sketches = std::vector<queries::SketchRow>;

bool same_bits(const Sketch& a, const Sketch& b);

/// Returns the sketch in `b` of each call of `a`; null if `b` lacks the call. Calls match by step, phase, module, op
/// and place in the step. Within a place they match by ordinal if both runs make equally many. Otherwise, as between
/// two versions of a library, ordinals do not correspond. Then the calls are aligned so that as many as possible have
/// the same outputs, inputs or sizes.
std::vector<const queries::SketchRow*> paired_calls(const Sketches& a, const Sketches& b);

}  // namespace ampprof::compare
