// SPDX-License-Identifier: Apache-2.0
#include "precision/formats/types/on_device.cuh"
#include "precision/update/kernels_cuda.h"

namespace ampprof::update::cuda {

using error::cuda::kThreads;
using error::cuda::widened;

template <typename Weight>
__global__ void __launch_bounds__(kThreads) add_change(const Weight* before, const Weight* after, const double* exact,
                                                       long long size, error::Spacing spacing, DeviceChange* into) {
  BasicChange<unsigned> mine{};
  const long long stride = static_cast<long long>(gridDim.x) * kThreads;
  for (long long i = static_cast<long long>(blockIdx.x) * kThreads + threadIdx.x; i < size; i += stride) {
    add_element(mine, widened(before[i]), widened(after[i]), exact[i], spacing);
  }
  __syncwarp();
  const unsigned count = error::cuda::sum_of_warp(mine.count);
  const unsigned lost = error::cuda::sum_of_warp(mine.lost);
  const unsigned below_half_ulp = error::cuda::sum_of_warp(mine.below_half_ulp);
  const double sum_ulp = error::cuda::sum_of_warp(mine.sum_ulp);
  if (error::cuda::lane_of_thread() != 0 || count == 0) return;
  atomicAdd(&into->count, count);
  atomicAdd(&into->lost, lost);
  atomicAdd(&into->below_half_ulp, below_half_ulp);
  atomicAdd(&into->sum_ulp, sum_ulp);
}

std::string launch_add_change(const error::Elements& before, const void* after, const double* exact,
                              error::Spacing spacing, DeviceChange* into, int device, void* stream) {
  if (before.size == 0) return "";
  const auto size = static_cast<long long>(before.size);
  return error::cuda::with_type(before, [&]<typename Weight>(const Weight* from) {
    return error::cuda::launch(add_change<Weight>, size, error::cuda::Queue{device, stream}, from,
                               static_cast<const Weight*>(after), exact, size, spacing, into);
  });
}

}  // namespace ampprof::update::cuda
