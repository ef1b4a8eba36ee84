// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "precision/replay/tape/run.h"
#include "precision/replay/tape/tape.h"

namespace ampprof::tape {

/// Returns whether all calls on which this slot depends treat each element alike, also in lists of tensors.
bool does_same_to_each(const Tape& tape, int slot);

/// Returns the ranges in which the value of this slot can be computed one after another, so that each pass fits into
/// the cache. Empty if a call on which the slot depends does not treat each element alike, or if the value fits into
/// the cache as a whole.
std::vector<Piece> pieces_of(const Tape& tape, int slot);

}  // namespace ampprof::tape
