// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <library_types.h>

namespace fake_cuda {

/// Matrices of a batch, column-major, in device or host memory.
struct Matrices {
  const void* data;
  cudaDataType type;
  long leading;
  long stride = 0;  ///< elements between two matrices of the batch
  bool is_transposed = false;
};

/// Describes D = alpha A B + beta C. If `bias` is set, row i has bias[i] added; `relu` clamps negative results
/// to zero. A is M x K, B is K x N, sums are in FP32.
struct Gemm {
  long m;
  long n;
  long k;
  long batch = 1;
  float alpha;
  float beta;
  Matrices a;
  Matrices b;
  Matrices c;
  Matrices d;
  const void* bias = nullptr;
  bool relu = false;
};

void compute(const Gemm& gemm);

}  // namespace fake_cuda
