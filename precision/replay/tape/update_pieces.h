// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "precision/replay/tape/run.h"
#include "precision/replay/tape/tape.h"

namespace ampprof::tape {

/// Returns whether the calls that lead to what is in this slot do the same to each element, or to each of lists of
/// tensors, and nothing else.
bool does_same_to_each(const Tape& tape, int slot);

/// Returns the parts that what is in this slot can be found in, one after the other, so that what a pass over them
/// needs stays in the cache; none where its calls do more than the same to each element, or where it is small anyway.
std::vector<Piece> pieces_of(const Tape& tape, int slot);

}  // namespace ampprof::tape
