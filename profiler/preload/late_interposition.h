// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ampprof::preload {

/// Does what LD_PRELOAD would have done, for libraries that are mapped already: redirects their calls of interposed
/// functions to this library. Idempotent. Thread-safe.
void interpose_in_loaded_libraries();

}  // namespace ampprof::preload
