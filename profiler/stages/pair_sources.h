// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <memory>

#include "precision/formats/types/number_format.h"
#include "precision/replay/reference/reference.h"
#include "profiler/stages/pair_source.h"

namespace ampprof::profiler {

class GradientReplays;
class MissingNotes;
class RecipeArithmetic;
class Recorder;

// What an error stage compares with. All that is passed outlives it.

/// Compares with the call in `precision`, kFloat or kDouble, on the inputs as received: local error.
std::unique_ptr<PairSource> reference_pairs(at::ScalarType precision, MissingNotes& missing);

/// Compares the call on operands rounded to `type` with what the program made: --what-if of a type. `scale`: the loss
/// scale that gradients are judged at.
std::unique_ptr<PairSource> rounded_pairs(error::WhatIfType type, double scale, MissingNotes& missing);

/// Compares what recipes make of a call's matmuls with exact products, and records a row for each, in the report's run
/// `run`. `replays`: null without --impact.
std::unique_ptr<PairSource> recipe_pairs(RecipeArithmetic& recipes, GradientReplays* replays, Recorder& recorder,
                                         MissingNotes& missing, std::size_t run);

/// Says under `missing` why a call was not run again.
void note_if_not_replayed(MissingNotes& missing, const Call& call, const reference::Replay& result);

}  // namespace ampprof::profiler
