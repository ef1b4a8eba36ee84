// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ampprof::preload {

/// Makes ampprof_hooks.py wait for torch, in a Python that opens LibTorch's extension on this thread. Works once; does
/// nothing elsewhere. Changes neither PYTHONPATH nor a name of the program, so it works with `python -I` too.
void hook_python();

}  // namespace ampprof::preload

extern "C" {
void ampprof_scope_entered(std::int64_t name, int is_call);
void ampprof_scope_left();
/// Returns a new tuple of two built-in functions for ampprof_hooks.py. The first begins a call of a module and takes
/// the number of its path. The second ends the call. Each module call pays for both; through ctypes they would cost
/// several times as much.
void* ampprof_module_hooks();
}
