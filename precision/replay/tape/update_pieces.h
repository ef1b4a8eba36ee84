// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "precision/replay/tape/run.h"
#include "precision/replay/tape/tape.h"

namespace ampprof::tape {

/// Returns whether the calls that lead to this slot only treat each element alike, or each of lists of tensors.
bool does_same_to_each(const Tape& tape, int slot);

/// Returns the parts in which the value of this slot can be computed one after the other, so that each pass fits into
/// the cache. Empty if its calls do not treat each element alike, or if it is small anyway.
std::vector<Piece> pieces_of(const Tape& tape, int slot);

}  // namespace ampprof::tape
