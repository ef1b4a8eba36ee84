// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace fake_cuda {

/// Chooses the kernels that compute. None: no kernel, and copies to a device write nothing either, so that its memory
/// stays zero. Torch: LibTorch's kernels that have twins. All: ampprof's kernels, too, which is slow.
enum class Computing { None, Torch, All };

/// Settings from the environment: FAKE_CUDA_DEVICES (number of devices, 1), FAKE_CUDA_MEMORY (bytes of each device, 8
/// GiB), FAKE_CUDA_LAG_US (duration of each piece of work, 0), FAKE_CUDA_TWINS (`all`, `torch` or `none`: which kernels
/// compute), FAKE_CUDA_LOG (if set, each call is logged to stderr), FAKE_CUDA_COUNTS (file for the counts, written when
/// the process exits).
struct Settings {
  int devices;
  std::size_t memory;
  std::chrono::microseconds lag;
  Computing computing;
  bool logs;
  std::string counts_file;
};

const Settings& settings();

}  // namespace fake_cuda
