// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ampprof::preload {

/// Runs ampprof_hooks.py, which waits for torch, if a Python interpreter holds its GIL on this thread. Does nothing
/// after the first success. Changes neither PYTHONPATH nor a name of the program, so it works with `python -I` too.
void hook_python();

}  // namespace ampprof::preload

extern "C" {
void ampprof_scope_entered(std::int64_t name, int is_call);
void ampprof_scope_left();
/// Returns a new tuple of two built-in functions for ampprof_hooks.py. The first begins a call of a module and takes
/// the id of the module's path. The second ends the call. Every module call runs both, and calls through ctypes would
/// take several times as long.
void* ampprof_module_hooks();
}
