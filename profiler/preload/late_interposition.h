// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ampprof::preload {

/// Redirects calls of interposed functions in libraries that are already mapped to this library, as LD_PRELOAD would
/// have done. Idempotent. Thread-safe.
void interpose_in_loaded_libraries();

}  // namespace ampprof::preload
