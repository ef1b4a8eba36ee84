// SPDX-License-Identifier: Apache-2.0
// The functions of cuBLAS and cuBLASLt for matmuls that LibTorch calls.
#include <cublasLt.h>
#include <cublas_v2.h>

#include <cstring>

#include "tests/fake_cuda/counts.h"
#include "tests/fake_cuda/gemm.h"
#include "tests/fake_cuda/launches.h"
#include "tests/fake_cuda/number.h"
#include "tests/fake_cuda/settings.h"
#include "tests/fake_cuda/streams.h"

using namespace fake_cuda;

namespace {

struct Handle {
  cudaStream_t stream = nullptr;
  cublasMath_t math = CUBLAS_DEFAULT_MATH;
  cublasPointerMode_t pointers = CUBLAS_POINTER_MODE_HOST;
};

struct Layout {
  cudaDataType type;
  long rows;
  long columns;
  long leading;
  int batch = 1;
  long stride = 0;
};

struct Description {
  cudaDataType scale_type = CUDA_R_32F;
  int transposes_a = CUBLAS_OP_N;
  int transposes_b = CUBLAS_OP_N;
  int epilogue = CUBLASLT_EPILOGUE_DEFAULT;
  const void* bias = nullptr;
};

Handle& state_of(cublasHandle_t handle) { return *reinterpret_cast<Handle*>(handle); }

template <typename T, typename H>
T& of(H handle) {
  return *reinterpret_cast<T*>(handle);
}

cublasStatus_t given(cudaStream_t stream, const Gemm& gemm) {
  count_launch(stream, "gemm");
  work::Work computes;
  if (settings().computing != Computing::None) computes = [=] { compute(gemm); };
  enqueue(stream, "gemm", std::move(computes));
  return CUBLAS_STATUS_SUCCESS;
}

float scale(const void* value, cudaDataType type) { return static_cast<float>(element(value, type, 0)); }

float scale(const void* value, cublasComputeType_t compute) {
  return scale(value, compute == CUBLAS_COMPUTE_16F ? CUDA_R_16F : CUDA_R_32F);
}

Matrices matrices(const void* data, cublasLtMatrixLayout_t handle, int transposes = CUBLAS_OP_N) {
  const auto& layout = of<Layout>(handle);
  return {data, layout.type, layout.leading, layout.stride, transposes != CUBLAS_OP_N};
}

template <typename T>
void take(T& into, const void* value) {
  std::memcpy(&into, value, sizeof into);
}

}  // namespace

FAKE_CUDA_API cublasStatus_t cublasCreate_v2(cublasHandle_t* handle) {
  FAKE_CUDA_COUNTED;
  *handle = reinterpret_cast<cublasHandle_t>(new Handle);
  return CUBLAS_STATUS_SUCCESS;
}

FAKE_CUDA_API cublasStatus_t cublasDestroy_v2(cublasHandle_t handle) {
  FAKE_CUDA_COUNTED;
  delete &state_of(handle);
  return CUBLAS_STATUS_SUCCESS;
}

FAKE_CUDA_API cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t stream) {
  FAKE_CUDA_COUNTED;
  state_of(handle).stream = stream;
  return CUBLAS_STATUS_SUCCESS;
}

FAKE_CUDA_API cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t, void*, std::size_t) {
  FAKE_CUDA_COUNTED;
  return CUBLAS_STATUS_SUCCESS;
}

FAKE_CUDA_API cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t math) {
  FAKE_CUDA_COUNTED;
  state_of(handle).math = math;
  return CUBLAS_STATUS_SUCCESS;
}

FAKE_CUDA_API cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t* math) {
  FAKE_CUDA_COUNTED;
  *math = state_of(handle).math;
  return CUBLAS_STATUS_SUCCESS;
}

FAKE_CUDA_API cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t mode) {
  FAKE_CUDA_COUNTED;
  state_of(handle).pointers = mode;
  return CUBLAS_STATUS_SUCCESS;
}

FAKE_CUDA_API cublasStatus_t cublasGetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t* mode) {
  FAKE_CUDA_COUNTED;
  *mode = state_of(handle).pointers;
  return CUBLAS_STATUS_SUCCESS;
}

FAKE_CUDA_API cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t a_op,
                                                        cublasOperation_t b_op, int m, int n, int k, const void* alpha,
                                                        const void* a, cudaDataType a_type, int a_leading,
                                                        long long a_stride, const void* b, cudaDataType b_type,
                                                        int b_leading, long long b_stride, const void* beta, void* c,
                                                        cudaDataType c_type, int c_leading, long long c_stride,
                                                        int batch, cublasComputeType_t compute, cublasGemmAlgo_t) {
  FAKE_CUDA_COUNTED;
  const Matrices result{c, c_type, c_leading, c_stride};
  return given(state_of(handle).stream, {.m = m,
                                         .n = n,
                                         .k = k,
                                         .batch = batch,
                                         .alpha = scale(alpha, compute),
                                         .beta = scale(beta, compute),
                                         .a = {a, a_type, a_leading, a_stride, a_op != CUBLAS_OP_N},
                                         .b = {b, b_type, b_leading, b_stride, b_op != CUBLAS_OP_N},
                                         .c = result,
                                         .d = result});
}

FAKE_CUDA_API cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t a_op, cublasOperation_t b_op, int m,
                                          int n, int k, const void* alpha, const void* a, cudaDataType a_type,
                                          int a_leading, const void* b, cudaDataType b_type, int b_leading,
                                          const void* beta, void* c, cudaDataType c_type, int c_leading,
                                          cublasComputeType_t compute, cublasGemmAlgo_t algorithm) {
  return cublasGemmStridedBatchedEx(handle, a_op, b_op, m, n, k, alpha, a, a_type, a_leading, 0, b, b_type, b_leading,
                                    0, beta, c, c_type, c_leading, 0, 1, compute, algorithm);
}

FAKE_CUDA_API cublasStatus_t cublasSgemmStridedBatched(cublasHandle_t handle, cublasOperation_t a_op,
                                                       cublasOperation_t b_op, int m, int n, int k, const float* alpha,
                                                       const float* a, int a_leading, long long a_stride,
                                                       const float* b, int b_leading, long long b_stride,
                                                       const float* beta, float* c, int c_leading, long long c_stride,
                                                       int batch) {
  return cublasGemmStridedBatchedEx(handle, a_op, b_op, m, n, k, alpha, a, CUDA_R_32F, a_leading, a_stride, b,
                                    CUDA_R_32F, b_leading, b_stride, beta, c, CUDA_R_32F, c_leading, c_stride, batch,
                                    CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
}

FAKE_CUDA_API cublasStatus_t cublasSgemm_v2(cublasHandle_t handle, cublasOperation_t a_op, cublasOperation_t b_op,
                                            int m, int n, int k, const float* alpha, const float* a, int a_leading,
                                            const float* b, int b_leading, const float* beta, float* c, int c_leading) {
  return cublasSgemmStridedBatched(handle, a_op, b_op, m, n, k, alpha, a, a_leading, 0, b, b_leading, 0, beta, c,
                                   c_leading, 0, 1);
}

FAKE_CUDA_API std::size_t cublasLtGetVersion() { return CUBLAS_VERSION; }

FAKE_CUDA_API cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* description, cublasComputeType_t,
                                                      cudaDataType_t scale_type) {
  FAKE_CUDA_COUNTED;
  *description = reinterpret_cast<cublasLtMatmulDesc_t>(new Description{.scale_type = scale_type});
  return CUBLAS_STATUS_SUCCESS;
}

FAKE_CUDA_API cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t description) {
  FAKE_CUDA_COUNTED;
  delete &of<Description>(description);
  return CUBLAS_STATUS_SUCCESS;
}

FAKE_CUDA_API cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t handle,
                                                            cublasLtMatmulDescAttributes_t attribute, const void* value,
                                                            std::size_t) {
  FAKE_CUDA_COUNTED;
  auto& description = of<Description>(handle);
  if (attribute == CUBLASLT_MATMUL_DESC_TRANSA) take(description.transposes_a, value);
  if (attribute == CUBLASLT_MATMUL_DESC_TRANSB) take(description.transposes_b, value);
  if (attribute == CUBLASLT_MATMUL_DESC_EPILOGUE) take(description.epilogue, value);
  if (attribute == CUBLASLT_MATMUL_DESC_BIAS_POINTER) take(description.bias, value);
  return CUBLAS_STATUS_SUCCESS;
}

FAKE_CUDA_API cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* layout, cudaDataType type,
                                                        std::uint64_t rows, std::uint64_t columns,
                                                        std::int64_t leading) {
  FAKE_CUDA_COUNTED;
  *layout = reinterpret_cast<cublasLtMatrixLayout_t>(
      new Layout{type, static_cast<long>(rows), static_cast<long>(columns), leading});
  return CUBLAS_STATUS_SUCCESS;
}

FAKE_CUDA_API cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t layout) {
  FAKE_CUDA_COUNTED;
  delete &of<Layout>(layout);
  return CUBLAS_STATUS_SUCCESS;
}

FAKE_CUDA_API cublasStatus_t cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t handle,
                                                              cublasLtMatrixLayoutAttribute_t attribute,
                                                              const void* value, std::size_t) {
  FAKE_CUDA_COUNTED;
  auto& layout = of<Layout>(handle);
  if (attribute == CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT) take(layout.batch, value);
  if (attribute == CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET) take(layout.stride, value);
  return CUBLAS_STATUS_SUCCESS;
}

FAKE_CUDA_API cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* preference) {
  FAKE_CUDA_COUNTED;
  *preference = reinterpret_cast<cublasLtMatmulPreference_t>(new char);
  return CUBLAS_STATUS_SUCCESS;
}

FAKE_CUDA_API cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t preference) {
  FAKE_CUDA_COUNTED;
  delete reinterpret_cast<char*>(preference);
  return CUBLAS_STATUS_SUCCESS;
}

FAKE_CUDA_API cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t,
                                                                  cublasLtMatmulPreferenceAttributes_t, const void*,
                                                                  std::size_t) {
  FAKE_CUDA_COUNTED;
  return CUBLAS_STATUS_SUCCESS;
}

FAKE_CUDA_API cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t, cublasLtMatmulDesc_t,
                                                            cublasLtMatrixLayout_t, cublasLtMatrixLayout_t,
                                                            cublasLtMatrixLayout_t, cublasLtMatrixLayout_t,
                                                            cublasLtMatmulPreference_t, int,
                                                            cublasLtMatmulHeuristicResult_t* results, int* count) {
  FAKE_CUDA_COUNTED;
  *results = {};
  *count = 1;
  return CUBLAS_STATUS_SUCCESS;
}

FAKE_CUDA_API cublasStatus_t cublasLtMatmul(cublasLtHandle_t, cublasLtMatmulDesc_t handle, const void* alpha,
                                            const void* a, cublasLtMatrixLayout_t a_layout, const void* b,
                                            cublasLtMatrixLayout_t b_layout, const void* beta, const void* c,
                                            cublasLtMatrixLayout_t c_layout, void* d, cublasLtMatrixLayout_t d_layout,
                                            const cublasLtMatmulAlgo_t*, void*, std::size_t, cudaStream_t stream) {
  FAKE_CUDA_COUNTED;
  const auto& description = of<Description>(handle);
  const auto& result = of<Layout>(d_layout);
  const bool transposes_a = description.transposes_a != CUBLAS_OP_N;
  return given(stream, {.m = result.rows,
                        .n = result.columns,
                        .k = transposes_a ? of<Layout>(a_layout).rows : of<Layout>(a_layout).columns,
                        .batch = result.batch,
                        .alpha = scale(alpha, description.scale_type),
                        .beta = scale(beta, description.scale_type),
                        .a = matrices(a, a_layout, description.transposes_a),
                        .b = matrices(b, b_layout, description.transposes_b),
                        .c = matrices(c, c_layout),
                        .d = matrices(d, d_layout),
                        .bias = (description.epilogue & CUBLASLT_EPILOGUE_BIAS) != 0 ? description.bias : nullptr,
                        .relu = (description.epilogue & CUBLASLT_EPILOGUE_RELU) != 0});
}
