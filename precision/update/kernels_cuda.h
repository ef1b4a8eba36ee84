// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "precision/formats/types/elements.h"
#include "precision/update/change.h"

namespace ampprof::update::cuda {

/// Adds what an update did to a weight to `into`: `before` and `after` are of the same type, `exact` has as many
/// numbers. One launch, no wait: all lies in memory of `device`, and is ready once `stream`, a cudaStream_t of that
/// device, has come there. Returns what CUDA says of the launch; "" if it was accepted.
///
/// add_element() defines it.
std::string launch_add_change(const error::Elements& before, const void* after, const double* exact,
                              error::Spacing spacing, DeviceChange* into, int device, void* stream);

}  // namespace ampprof::update::cuda
