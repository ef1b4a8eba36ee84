// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "precision/formats/types/elements.h"
#include "precision/update/change.h"

namespace ampprof::update::cuda {

/// Adds the effect of an update on a weight to `into`. `before` and `after` have the same type; `exact` has the same
/// number of elements. Launches one kernel without waiting. All memory is on `device`, and the result is ready in the
/// order of `stream`, a cudaStream_t of that device. Returns CUDA's error for the launch; "" on success.
///
/// add_element() is the definition.
std::string launch_add_change(const error::Elements& before, const void* after, const double* exact,
                              error::Spacing spacing, DeviceChange* into, int device, void* stream);

}  // namespace ampprof::update::cuda
