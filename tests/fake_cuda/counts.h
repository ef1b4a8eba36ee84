// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <string>

/// How often each function was called, each kernel launched, and what else is worth counting, by name.
namespace fake_cuda {

using Count = std::atomic<long>;

/// Returns the count of this name, which lives as long as the process.
Count& count_of(const std::string& name);

/// Counts one call, and logs it where the settings say so.
void count_call(Count& count, const char* name);

}  // namespace fake_cuda

/// A function that LibTorch calls by this name.
#define FAKE_CUDA_API extern "C" [[gnu::visibility("default")]]

/// The first line of each of them.
#define FAKE_CUDA_COUNTED                                                    \
  do {                                                                       \
    static ::fake_cuda::Count& count_here = ::fake_cuda::count_of(__func__); \
    ::fake_cuda::count_call(count_here, __func__);                           \
  } while (false)
