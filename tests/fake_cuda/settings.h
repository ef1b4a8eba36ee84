// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace fake_cuda {

/// Which kernels compute: none, and copies to a device write nothing, so that all of its memory is zero; LibTorch's as
/// far as they have twins; ampprof's too, which takes time.
enum class Computing { None, Torch, All };

/// How the devices are, from the environment: FAKE_CUDA_DEVICES (1), FAKE_CUDA_MEMORY (bytes of each, 8 GiB),
/// FAKE_CUDA_LAG_US (how long each piece of work takes, 0), FAKE_CUDA_TWINS (`all`, `torch` or `none`: which kernels
/// compute), FAKE_CUDA_LOG (writes each call to stderr where it is set), FAKE_CUDA_COUNTS (the file that the counts are
/// written to as the process ends).
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
