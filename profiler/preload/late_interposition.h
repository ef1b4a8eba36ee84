// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ampprof::preload {

/// Does what LD_PRELOAD would have done, for libraries that are mapped already: redirects their calls of interposed
/// functions to this library. A library that calls them here already stays unchanged. Thread-safe.
void interpose_in_loaded_libraries();

}  // namespace ampprof::preload
