// SPDX-License-Identifier: Apache-2.0
// A fake cublasLt for machines without a GPU. Its heuristic has simple rules: one kind of instruction for each type,
// alignment 16 if the leading dimensions allow it, and no algorithm for K = 13. It writes the matmul's description to
// the file FAKE_CUBLASLT, so that a test can check the description.
#include <cublasLt.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

struct Operation {
  cublasComputeType_t compute;
  cublasOperation_t a = CUBLAS_OP_N;
  cublasOperation_t b = CUBLAS_OP_N;
  cublasLtEpilogue_t epilogue = CUBLASLT_EPILOGUE_DEFAULT;
};

struct Layout {
  cudaDataType type;
  std::uint64_t rows, columns;
  std::int64_t leading;
  std::int32_t batch = 1;
  std::int64_t stride = 0;
};

struct Preference {
  std::uint64_t workspace = 0;
  std::uint32_t alignment_a = 256;
  std::uint32_t alignment_b = 256;
};

template <class To>
const To* as(const void* pointer) {
  return static_cast<const To*>(pointer);
}

template <class To, class Opaque>
cublasStatus_t give_back(Opaque* pointer) {
  delete reinterpret_cast<To*>(pointer);
  return CUBLAS_STATUS_SUCCESS;
}

template <class Value>
cublasStatus_t answer(void* buffer, size_t size, size_t* written, Value value) {
  if (size != sizeof value) return CUBLAS_STATUS_INVALID_VALUE;
  std::memcpy(buffer, &value, size);
  *written = size;
  return CUBLAS_STATUS_SUCCESS;
}

void write_down(const Operation& operation, const Layout& a, const Layout& b, const Layout& c,
                const Preference& preference) {
  const char* path = std::getenv("FAKE_CUBLASLT");
  std::FILE* file = path != nullptr ? std::fopen(path, "a") : nullptr;
  if (file == nullptr) return;
  std::fprintf(file,
               "%c%c a=%lux%lu/%ld b=%lux%lu/%ld c=%lux%lu/%ld batch=%d strides=%ld,%ld,%ld align=%u,%u bias=%d\n",
               operation.a == CUBLAS_OP_T ? 't' : 'n', operation.b == CUBLAS_OP_T ? 't' : 'n', a.rows, a.columns,
               a.leading, b.rows, b.columns, b.leading, c.rows, c.columns, c.leading, a.batch, a.stride, b.stride,
               c.stride, preference.alignment_a, preference.alignment_b, operation.epilogue == CUBLASLT_EPILOGUE_BIAS);
  std::fclose(file);
}

std::uint64_t flags_of(const Operation& operation, const Layout& a) {
  using Flags = std::uint64_t;
  const Flags sums = CUBLASLT_NUMERICAL_IMPL_FLAGS_ACCUMULATOR_32F;
  if (a.type == CUDA_R_16F) return CUBLASLT_NUMERICAL_IMPL_FLAGS_HMMA | CUBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_16F | sums;
  if (a.type == CUDA_R_16BF)
    return CUBLASLT_NUMERICAL_IMPL_FLAGS_HMMA | CUBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_16BF | sums;
  if (operation.compute == CUBLAS_COMPUTE_32F_FAST_TF32)
    return CUBLASLT_NUMERICAL_IMPL_FLAGS_HMMA | CUBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_TF32 | sums;
  return CUBLASLT_NUMERICAL_IMPL_FLAGS_FMA | CUBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_32F | sums;
}

}  // namespace

extern "C" {

cublasStatus_t cublasLtCreate(cublasLtHandle_t* handle) {
  *handle = reinterpret_cast<cublasLtHandle_t>(new int(0));
  return std::getenv("FAKE_CUBLASLT_REFUSES") != nullptr ? CUBLAS_STATUS_NOT_INITIALIZED : CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle) {
  delete reinterpret_cast<int*>(handle);
  return CUBLAS_STATUS_SUCCESS;
}
size_t cublasLtGetVersion() { return 130100; }
const char* cublasLtGetStatusString(cublasStatus_t) { return "as the stand-in was told"; }

cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* made, cublasComputeType_t compute, cudaDataType_t) {
  *made = reinterpret_cast<cublasLtMatmulDesc_t>(new Operation{.compute = compute});
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t operation) { return give_back<Operation>(operation); }
cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t opaque, cublasLtMatmulDescAttributes_t attribute,
                                              const void* value, size_t) {
  auto* operation = reinterpret_cast<Operation*>(opaque);
  if (attribute == CUBLASLT_MATMUL_DESC_TRANSA) operation->a = *as<cublasOperation_t>(value);
  if (attribute == CUBLASLT_MATMUL_DESC_TRANSB) operation->b = *as<cublasOperation_t>(value);
  if (attribute == CUBLASLT_MATMUL_DESC_EPILOGUE) operation->epilogue = *as<cublasLtEpilogue_t>(value);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* made, cudaDataType type, uint64_t rows,
                                          uint64_t columns, int64_t leading) {
  *made = reinterpret_cast<cublasLtMatrixLayout_t>(new Layout{type, rows, columns, leading});
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t layout) { return give_back<Layout>(layout); }
cublasStatus_t cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t opaque,
                                                cublasLtMatrixLayoutAttribute_t attribute, const void* value, size_t) {
  auto* layout = reinterpret_cast<Layout*>(opaque);
  if (attribute == CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT) layout->batch = *as<std::int32_t>(value);
  if (attribute == CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET) layout->stride = *as<std::int64_t>(value);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* made) {
  *made = reinterpret_cast<cublasLtMatmulPreference_t>(new Preference);
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t preference) {
  return give_back<Preference>(preference);
}
cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t opaque,
                                                    cublasLtMatmulPreferenceAttributes_t attribute, const void* value,
                                                    size_t) {
  auto* preference = reinterpret_cast<Preference*>(opaque);
  if (attribute == CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES) preference->workspace = *as<std::uint64_t>(value);
  if (attribute == CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES) preference->alignment_a = *as<std::uint32_t>(value);
  if (attribute == CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES) preference->alignment_b = *as<std::uint32_t>(value);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t, cublasLtMatmulDesc_t operation,
                                              cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                              cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t,
                                              cublasLtMatmulPreference_t preference, int,
                                              cublasLtMatmulHeuristicResult_t* results, int* count) {
  const auto& operand = *reinterpret_cast<Layout*>(a);
  const auto& matmul = *reinterpret_cast<Operation*>(operation);
  write_down(matmul, operand, *reinterpret_cast<Layout*>(b), *reinterpret_cast<Layout*>(c),
             *reinterpret_cast<Preference*>(preference));
  *count = (matmul.a == CUBLAS_OP_T ? operand.rows : operand.columns) == 13 ? 0 : 1;
  results[0].state = CUBLAS_STATUS_SUCCESS;
  results[0].wavesCount = 0.75F;
  results[0].workspaceSize = reinterpret_cast<Preference*>(preference)->workspace;
  results[0].algo.data[0] = flags_of(matmul, operand);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulAlgoCapGetAttribute(const cublasLtMatmulAlgo_t* algorithm,
                                                 cublasLtMatmulAlgoCapAttributes_t attribute, void* buffer, size_t size,
                                                 size_t* written) {
  switch (attribute) {
    case CUBLASLT_ALGO_CAP_NUMERICAL_IMPL_FLAGS:
      return answer(buffer, size, written, algorithm->data[0]);
    case CUBLASLT_ALGO_CAP_MIN_ALIGNMENT_A_BYTES:
      return answer(buffer, size, written, std::uint32_t{16});
    case CUBLASLT_ALGO_CAP_MIN_ALIGNMENT_B_BYTES:
      return answer(buffer, size, written, std::uint32_t{8});
    case CUBLASLT_ALGO_CAP_MIN_ALIGNMENT_C_BYTES:
      return answer(buffer, size, written, std::uint32_t{4});
    case CUBLASLT_ALGO_CAP_MIN_ALIGNMENT_D_BYTES:
      return answer(buffer, size, written, std::uint32_t{2});
    default:
      return CUBLAS_STATUS_NOT_SUPPORTED;
  }
}

cublasStatus_t cublasLtMatmulAlgoConfigGetAttribute(const cublasLtMatmulAlgo_t*,
                                                    cublasLtMatmulAlgoConfigAttributes_t attribute, void* buffer,
                                                    size_t size, size_t* written) {
  switch (attribute) {
    case CUBLASLT_ALGO_CONFIG_ID:
      return answer(buffer, size, written, std::int32_t{66});
    case CUBLASLT_ALGO_CONFIG_TILE_ID:
      return answer(buffer, size, written, std::uint32_t{CUBLASLT_MATMUL_TILE_128x256});
    case CUBLASLT_ALGO_CONFIG_STAGES_ID:
      return answer(buffer, size, written, std::uint32_t{34});
    case CUBLASLT_ALGO_CONFIG_SPLITK_NUM:
      return answer(buffer, size, written, std::int32_t{2});
    default:
      return CUBLAS_STATUS_NOT_SUPPORTED;
  }
}

}  // extern "C"
