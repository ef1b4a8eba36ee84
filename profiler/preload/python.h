// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ampprof::preload {

/// Lets ampprof_hooks.py wait for torch, in a Python that is opening LibTorch's extension on this thread. Once; does
/// nothing elsewhere. Neither PYTHONPATH nor a name of the program is touched, so it works with `python -I` too.
void hook_python();

}  // namespace ampprof::preload

extern "C" {
void ampprof_scope_entered(std::int64_t name, int is_call);
void ampprof_scope_left();
/// Returns a new tuple of two built-in functions for ampprof_hooks.py: a call of a module begins, which takes the
/// number of its path, and ends. Each module call pays for both, and through ctypes they would cost several times as
/// much.
void* ampprof_module_hooks();
}
