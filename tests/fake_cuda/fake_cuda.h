// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Functions for a test in the same process; Python finds them by ctypes.CDLL(None).
extern "C" {

/// Returns how often the function or kernel of this name has been called. These names count several functions:
/// "launches", "launches without a twin", "graph nodes launched", "copies", "copies to the host", "blocking copies",
/// "synchronizations", "device allocations" and "driver initializations".
long fake_cuda_count(const char* name);

/// Reads `bytes` of device memory as a debugger would. Returns 0 if `device` is not device memory.
int fake_cuda_peek(const void* device, void* into, unsigned long bytes);

/// Calls `call` on the thread of each launch from now on, with the kernel's mangled name, which stays valid. Leaves out
/// launches by graphs. A tool such as a stand-in for CUPTI finds this function by dlsym().
void fake_cuda_on_launch(void (*call)(const char* kernel));
}
