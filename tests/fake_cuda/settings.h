// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace fake_cuda {

/// Which kernels compute. With None, copies to a device write nothing, either, so that all of its memory stays zero.
/// With Torch, LibTorch's kernels compute if they have twins. With All, ampprof's kernels do, too, which takes time.
enum class Computing { None, Torch, All };

/// Settings from the environment: FAKE_CUDA_DEVICES (number of devices, 1), FAKE_CUDA_MEMORY (bytes of each, 8 GiB),
/// FAKE_CUDA_LAG_US (duration of each piece of work, 0), FAKE_CUDA_TWINS (`all`, `torch` or `none`: which kernels
/// compute), FAKE_CUDA_LOG (if set, writes each call to stderr), FAKE_CUDA_COUNTS (file for the counts when the process
/// ends).
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
