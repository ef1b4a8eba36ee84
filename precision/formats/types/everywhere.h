// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Marks a function that CUDA kernels call too.
#ifdef __CUDACC__
#define AMPPROF_EVERYWHERE __host__ __device__
#else
#define AMPPROF_EVERYWHERE
#endif
