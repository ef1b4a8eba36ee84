// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <span>
#include <vector>

#include "precision/tensors/deferred_reductions.h"

namespace ampprof::tensors {

/// Reads one or more one-element tensors, all on one device, without waiting. `results.complete()` calls `arrived` with
/// the values in order; `arrived` must not call `results`.
void read_scalars_async(const std::vector<at::Tensor>& tensors, DeferredReductions& results,
                        std::function<void(std::span<const double>)> arrived);

}  // namespace ampprof::tensors
