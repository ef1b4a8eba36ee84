// SPDX-License-Identifier: Apache-2.0
// Compiles the CUDA kernel for the CPU.
#include "tests/host_cuda/device_code.h"
// Must follow device_code.h, which defines the CUDA language.
#include "precision/update/kernels_cuda.cu"
