// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <span>
#include <vector>

#include "precision/tensors/deferred_reductions.h"

namespace ampprof::tensors {

/// Reads tensors of one element each, at least one, all of one device, but later: `arrived` gets the values in their order
/// from `results.complete()`, and must not ask anything of `results`.
void read_scalars_async(const std::vector<at::Tensor>& tensors, DeferredReductions& results,
                        std::function<void(std::span<const double>)> arrived);

}  // namespace ampprof::tensors
