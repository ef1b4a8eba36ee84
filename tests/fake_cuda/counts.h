// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <string>

/// Counts calls of functions, launches of kernels, and other events, by name.
namespace fake_cuda {

using Count = std::atomic<long>;

/// Returns the counter with this name. It lives as long as the process.
Count& count_of(const std::string& name);

/// Counts one call, and logs it if the settings ask for it.
void count_call(Count& count, const char* name);

}  // namespace fake_cuda

/// Exports a function under its C name, by which LibTorch calls it.
#define FAKE_CUDA_API extern "C" [[gnu::visibility("default")]]

/// Counts a call. Must be the first line of each such function.
#define FAKE_CUDA_COUNTED                                                    \
  do {                                                                       \
    static ::fake_cuda::Count& count_here = ::fake_cuda::count_of(__func__); \
    ::fake_cuda::count_call(count_here, __func__);                           \
  } while (false)
