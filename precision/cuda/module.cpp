// SPDX-License-Identifier: Apache-2.0
// The only symbol that libampprof_cuda.so exports.
#include "precision/cuda/kernels.h"

extern "C" __attribute__((visibility("default"))) const ampprof::cuda::Kernels ampprof_cuda_kernels{
    .measure = ampprof::error::cuda::launch_measure,
    .add_sketch = ampprof::sketch::cuda::launch_add,
    .add_checksum = ampprof::sketch::cuda::launch_checksum,
    .measure_and_add_sketch = ampprof::sketch::cuda::launch_measure_and_add,
    .add_change = ampprof::update::cuda::launch_add_change,
    .quantize = ampprof::quantize::cuda::launch_quantize,
    .quantize_amax = ampprof::quantize::cuda::launch_amax,
};
