// SPDX-License-Identifier: Apache-2.0
#include "profiler/gpu/launching_calls.h"

#include <gtest/gtest.h>

namespace ampprof::profiler {
namespace launching_calls_test {

TEST(LaunchingCalls, AreThoseThatGiveAGpuSomethingToDo) {
  for (const char* name : {"cudaLaunchKernel_v7000", "cudaLaunchKernelExC_v11060", "cuLaunchKernelEx", "cudaGraphLaunch_v10000",
                           "cuGraphLaunch", "cudaLaunchCooperativeKernel_v9000", "cudaMemcpyAsync_v3020", "cudaMemset_v3020",
                           "cuMemcpyHtoDAsync_v2", "cuMemsetD8Async"}) {
    EXPECT_TRUE(launches(name)) << name;
  }
  for (const char* name : {"cudaGetDevice_v3020", "cudaStreamSynchronize_v3020", "cuCtxGetCurrent", "cudaEventRecord_v3020",
                           "cudaMalloc_v3020", "cudaStreamIsCapturing_v10000"}) {
    EXPECT_FALSE(launches(name)) << name;
  }
}

}  // namespace launching_calls_test
}  // namespace ampprof::profiler
