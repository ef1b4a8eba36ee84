// SPDX-License-Identifier: Apache-2.0
#include "tests/fake_cuda/number.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace fake_cuda {
namespace {

[[noreturn]] void refuse(cudaDataType type) {
  std::fprintf(stderr, "fake CUDA: no numbers of cudaDataType %d here\n", static_cast<int>(type));
  std::abort();
}

}  // namespace

double element(const void* data, cudaDataType type, std::size_t i) {
  switch (type) {
    case CUDA_R_16F:
      return static_cast<float>(static_cast<const __half*>(data)[i]);
    case CUDA_R_16BF:
      return static_cast<float>(static_cast<const __nv_bfloat16*>(data)[i]);
    case CUDA_R_32F:
      return static_cast<const float*>(data)[i];
    case CUDA_R_64F:
      return static_cast<const double*>(data)[i];
    case CUDA_R_8U:
      return static_cast<const std::uint8_t*>(data)[i];
    case CUDA_R_32I:
      return static_cast<const std::int32_t*>(data)[i];
    case CUDA_R_64I:
      return static_cast<double>(static_cast<const std::int64_t*>(data)[i]);
    default:
      refuse(type);
  }
}

void store(void* data, cudaDataType type, std::size_t i, double value) {
  switch (type) {
    case CUDA_R_16F:
      static_cast<__half*>(data)[i] = __half(static_cast<float>(value));
      return;
    case CUDA_R_16BF:
      static_cast<__nv_bfloat16*>(data)[i] = __nv_bfloat16(static_cast<float>(value));
      return;
    case CUDA_R_32F:
      static_cast<float*>(data)[i] = static_cast<float>(value);
      return;
    case CUDA_R_64F:
      static_cast<double*>(data)[i] = value;
      return;
    case CUDA_R_8U:
      static_cast<std::uint8_t*>(data)[i] = static_cast<std::uint8_t>(value);
      return;
    case CUDA_R_32I:
      static_cast<std::int32_t*>(data)[i] = static_cast<std::int32_t>(value);
      return;
    case CUDA_R_64I:
      static_cast<std::int64_t*>(data)[i] = static_cast<std::int64_t>(value);
      return;
    default:
      refuse(type);
  }
}

}  // namespace fake_cuda
