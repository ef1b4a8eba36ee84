// SPDX-License-Identifier: Apache-2.0
#define USE_C10D_NCCL  // LibTorch itself was built with this definition
#include "amp_core/parallel/nccl_plugin.h"

#include <torch/csrc/distributed/c10d/ProcessGroupNCCL.hpp>

extern "C" __attribute__((visibility("default"))) void amp_core_make_nccl(const c10::intrusive_ptr<c10d::Store>& store,
                                                                          int rank, int world_size,
                                                                          std::chrono::milliseconds timeout,
                                                                          c10::intrusive_ptr<c10d::Backend>& made) {
  const auto options = c10d::ProcessGroupNCCL::Options::create();
  options->timeout = timeout;
  made = c10::make_intrusive<c10d::ProcessGroupNCCL>(store, rank, world_size, options);
}
