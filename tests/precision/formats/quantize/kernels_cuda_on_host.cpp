// SPDX-License-Identifier: Apache-2.0
// The CUDA kernels, compiled for this processor.
#include "tests/host_cuda/device_code.h"
// Behind the language that it is written in.
#include "precision/formats/quantize/kernels_cuda.cu"
