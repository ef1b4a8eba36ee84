// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "profiler/preload/claim.h"
#include "profiler/preload/hooks.h"

namespace ampprof::preload {

/// Returns the observer's table, or null while nothing is recorded.
const Hooks* hooks();

/// Idempotent and cheap when there is nothing to do.
void load_observer_if_torch_is_there();

bool torch_is_loaded();

/// Returns "2.11.0" of the LibTorch that is loaded; "" of one older than 2.9.
std::string torch_version();

/// Begins a recording that the program asks for itself, as the variables say. Returns false where it cannot; notes say
/// why.
bool begin_recording(Variable variable);

/// Returns the definition that the program would have called without us. Ends the process with a sentence if there is
/// none.
void* next_symbol(const char* name);

}  // namespace ampprof::preload
