// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "profiler/preload/claim.h"
#include "profiler/preload/hooks.h"

namespace ampprof::preload {

/// Returns the observer's hooks; null while nothing is recorded.
const Hooks* hooks();

/// Loads the observer if this process is to be recorded and LibTorch is loaded. Idempotent. Cheap if there is nothing
/// to do.
void load_observer_if_torch_is_there();

bool torch_is_loaded();

/// Returns the version of the loaded LibTorch, such as "2.11.0"; "" if it is older than 2.9.
std::string torch_version();

/// Begins a recording at the program's own request, with the settings in the variables. Returns false if it cannot
/// begin; notes say why.
bool begin_recording(Variable variable);

/// Returns the function that the program would have called without this library. Ends the process with a message if
/// there is none.
void* next_symbol(const char* name);

}  // namespace ampprof::preload
