// SPDX-License-Identifier: Apache-2.0
#pragma once

/// What a test may ask the stand-in in its own process; Python finds them by ctypes.CDLL(None).
extern "C" {

/// Returns how often the function or kernel of this name was called until now; of "launches", "launches without a
/// twin", "graph nodes launched", "copies", "copies to the host", "blocking copies", "synchronizations", "device
/// allocations" and "driver initializations" the sums of theirs.
long fake_cuda_count(const char* name);

/// Reads `bytes` of device memory, as if a debugger did; 0 if that is none.
int fake_cuda_peek(const void* device, void* into, unsigned long bytes);

/// Calls `call` on the thread of each launch from now on, with the kernel's mangled name, which stays; what graphs launch
/// is left out. A tool such as a stand-in for CUPTI finds this by dlsym().
void fake_cuda_on_launch(void (*call)(const char* kernel));
}
