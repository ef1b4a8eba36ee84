// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace fake_cuda {

/// How the devices are, from the environment: FAKE_CUDA_DEVICES (1), FAKE_CUDA_MEMORY (bytes of each, 8 GiB),
/// FAKE_CUDA_LAG_US (how long each piece of work takes, 0), FAKE_CUDA_OWN_KERNELS (0: ampprof's own kernels compute
/// nothing, which saves time), FAKE_CUDA_LOG (writes each call to stderr where it is set), FAKE_CUDA_COUNTS
/// (the file that the counts are written to as the process ends).
struct Settings {
  int devices;
  std::size_t memory;
  std::chrono::microseconds lag;
  bool computes_own_kernels;
  bool logs;
  std::string counts_file;
};

const Settings& settings();

}  // namespace fake_cuda
