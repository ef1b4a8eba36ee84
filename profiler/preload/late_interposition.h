// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ampprof::preload {

/// Does what LD_PRELOAD would have done: in each library that is mapped by now, calls of the functions that this one
/// interposes come here from now on. Where they do already, nothing changes. Thread-safe.
void interpose_in_loaded_libraries();

}  // namespace ampprof::preload
