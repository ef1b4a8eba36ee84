// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "precision/error/kernels.h"

namespace ampprof::error::cpu {

/// Returns values that are not in double in float: themselves, or of a narrow type a copy at `wide`, which has room for
/// all.
const float* as_floats(const Elements& part, float* wide);

}  // namespace ampprof::error::cpu
