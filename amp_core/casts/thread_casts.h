// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "amp_core/casts/cast_cache.h"

namespace amp {

/// What the cast kernels must do for a call on this thread.
enum class CastMode {
  NotOurs,  ///< casts are not in force: do what LibTorch did before
  Pass,     ///< backward of a program whose casts are in force: nothing is cast
  Cast,     ///< the op's policy applies
};

CastMode cast_mode();
CastCache& cast_cache_of_this_thread();

}  // namespace amp
