// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Functions for a test in the same process. Python finds them in ctypes.CDLL(None).
extern "C" {

/// Returns the number of calls to the function or kernel with this name. These names count several functions:
/// "launches", "launches without a twin", "graph nodes launched", "copies", "copies to the host", "blocking copies",
/// "synchronizations", "device allocations" and "driver initializations".
long fake_cuda_count(const char* name);

/// Copies `bytes` bytes of device memory to `into`, as a debugger can. Returns 0 if `device` is not device memory.
int fake_cuda_peek(const void* device, void* into, unsigned long bytes);

/// Sets a function that each later launch calls on its own thread, with the kernel's mangled name, which stays valid.
/// Launches by graphs do not call it. A tool such as a fake CUPTI finds this function by dlsym().
void fake_cuda_on_launch(void (*call)(const char* kernel));
}
