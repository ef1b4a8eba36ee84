// SPDX-License-Identifier: Apache-2.0
#include "precision/probe/device/cublaslt_heuristic.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <stdexcept>

#include "precision/probe/numerics.h"
#include "precision/probe/device/cublaslt_api.h"

namespace ampprof::probe {
namespace {

static_assert(numerics::kFma == CUBLASLT_NUMERICAL_IMPL_FLAGS_FMA);
static_assert(numerics::kHmma == CUBLASLT_NUMERICAL_IMPL_FLAGS_HMMA);
static_assert(numerics::kImma == CUBLASLT_NUMERICAL_IMPL_FLAGS_IMMA);
static_assert(numerics::kDmma == CUBLASLT_NUMERICAL_IMPL_FLAGS_DMMA);
static_assert(numerics::kTensorCores == CUBLASLT_NUMERICAL_IMPL_FLAGS_TENSOR_OP_MASK);
static_assert(numerics::kSums16 == CUBLASLT_NUMERICAL_IMPL_FLAGS_ACCUMULATOR_16F);
static_assert(numerics::kSums32 == CUBLASLT_NUMERICAL_IMPL_FLAGS_ACCUMULATOR_32F);
static_assert(numerics::kSums64 == CUBLASLT_NUMERICAL_IMPL_FLAGS_ACCUMULATOR_64F);
static_assert(numerics::kSumsInt == CUBLASLT_NUMERICAL_IMPL_FLAGS_ACCUMULATOR_32I);
static_assert(numerics::kInputs16 == CUBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_16F);
static_assert(numerics::kInputsBf16 == CUBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_16BF);
static_assert(numerics::kInputsTf32 == CUBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_TF32);
static_assert(numerics::kInputs8 ==
              (CUBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_8I | CUBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_8F_E4M3 |
               CUBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_8F_E5M2));

struct Tile {
  int id;
  const char* name;
};
constexpr Tile kTiles[]{
#include "cublaslt_tiles.inc"
};

std::string tile_name(int id) {
  const auto* tile = std::ranges::find(kTiles, id, &Tile::id);
  return tile == std::end(kTiles) ? "" : tile->name;
}

/// Types of a matmul as cublasLt enumerators.
struct Types {
  cudaDataType_t elements;
  cudaDataType_t scale;
  cublasComputeType_t compute;
};

Types types_of(const Arithmetic& arithmetic) {
  switch (arithmetic.dtype) {
    case DType::Half:
      return {CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F};
    case DType::BFloat16:
      return {CUDA_R_16BF, CUDA_R_32F, CUBLAS_COMPUTE_32F};
    case DType::Double:
      return {CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_64F};
    default:
      return {CUDA_R_32F, CUDA_R_32F, arithmetic.tf32 ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F};
  }
}

/// Owns an object that cublasLt creates and destroys.
template <class Pointer>
class [[nodiscard]] Owned {
 public:
  using Destroy = cublasStatus_t (*)(Pointer);

  explicit Owned(Destroy destroy) : destroy_(destroy) {}
  ~Owned() {
    if (pointer_ != nullptr) destroy_(pointer_);
  }
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;

  Pointer* place() { return &pointer_; }
  operator Pointer() const { return pointer_; }

 private:
  Destroy destroy_;
  Pointer pointer_ = nullptr;
};

using Operation = Owned<cublasLtMatmulDesc_t>;
using Matrix = Owned<cublasLtMatrixLayout_t>;
using Preference = Owned<cublasLtMatmulPreference_t>;

/// An operand as cublasLt sees it. cublasLt is column-major and reads a row-major matrix as its transpose, so A and B
/// are exchanged: C' = B' A'.
struct Seen {
  cublasOperation_t operation;
  std::int64_t rows;  ///< number of rows as stored, along a column
  std::int64_t columns;
  std::int64_t leading;
};

Seen seen(const MatrixLayout& layout, std::int64_t rows, std::int64_t columns) {
  if (layout.is_transposed) std::swap(rows, columns);
  return {layout.is_transposed ? CUBLAS_OP_T : CUBLAS_OP_N, columns, rows, std::max(layout.leading, columns)};
}

/// Returns the alignment of an operand's address. Allocations are aligned to 256 bytes.
std::uint32_t alignment_of(const MatrixLayout& layout, DType dtype) {
  const auto offset = static_cast<std::uint32_t>(layout.offset * size_of(dtype));
  return offset == 0 ? 256 : offset & -offset;
}

class CublasLt final : public CublasLtHeuristic {
 public:
  CublasLt(const CublasLtApi& api, std::uint64_t workspace_bytes) : api_(api), workspace_bytes_(workspace_bytes) {
    check(api_.create(&handle_), "cublasLt cannot start");
  }
  ~CublasLt() override { api_.destroy(handle_); }

  std::int64_t version() const override { return static_cast<std::int64_t>(api_.get_version()); }

  std::variant<GemmAlgorithm, Failure> algorithm_for(const Case& what) const override {
    try {
      return chosen(std::get<GemmCase>(what.workload), what.arithmetic);
    } catch (const std::runtime_error& error) {
      return Failure{.of_time = false, .why = error.what()};
    }
  }

 private:
  void check(cublasStatus_t status, const char* what) const {
    if (status != CUBLAS_STATUS_SUCCESS) throw std::runtime_error(what + (": " + words_for(api_, status)));
  }

  void make_operation(Operation& operation, const GemmCase& gemm, const Types& types, const Seen& a,
                      const Seen& b) const {
    check(api_.create_operation(operation.place(), types.compute, types.scale), "cublasLt refuses the matmul");
    const auto set = [&](cublasLtMatmulDescAttributes_t attribute, const auto& value) {
      check(api_.set_operation(operation, attribute, &value, sizeof value),
            "cublasLt refuses an attribute of the matmul");
    };
    set(CUBLASLT_MATMUL_DESC_TRANSA, a.operation);
    set(CUBLASLT_MATMUL_DESC_TRANSB, b.operation);
    if (!gemm.has_bias) return;
    const auto aligned = reinterpret_cast<const void*>(std::uintptr_t{256});  // never read; only its alignment matters
    set(CUBLASLT_MATMUL_DESC_EPILOGUE, CUBLASLT_EPILOGUE_BIAS);
    set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, aligned);
  }

  void make_matrix(Matrix& matrix, const Seen& seen, std::int64_t batch, cudaDataType_t type) const {
    check(api_.create_layout(matrix.place(), type, seen.rows, seen.columns, seen.leading),
          "cublasLt refuses the layout of a matrix");
    if (batch == 1) return;
    const auto count = static_cast<std::int32_t>(batch);
    const std::int64_t stride = seen.leading * seen.columns;
    check(api_.set_layout(matrix, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &count, sizeof count),
          "cublasLt refuses the batch of matrices");
    check(api_.set_layout(matrix, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &stride, sizeof stride),
          "cublasLt refuses the batch of matrices");
  }

  void make_preference(Preference& preference, const GemmCase& gemm, DType dtype) const {
    check(api_.create_preference(preference.place()), "cublasLt refuses the preferences");
    const auto set = [&](cublasLtMatmulPreferenceAttributes_t attribute, const auto& value) {
      check(api_.set_preference(preference, attribute, &value, sizeof value), "cublasLt refuses the preferences");
    };
    set(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, workspace_bytes_);
    set(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, alignment_of(gemm.b, dtype));
    set(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, alignment_of(gemm.a, dtype));
  }

  GemmAlgorithm chosen(const GemmCase& gemm, const Arithmetic& arithmetic) const {
    const Types types = types_of(arithmetic);
    const Seen a = seen(gemm.b, gemm.k, gemm.n);
    const Seen b = seen(gemm.a, gemm.m, gemm.k);
    const Seen c{CUBLAS_OP_N, gemm.n, gemm.m, gemm.n};
    Operation operation(api_.destroy_operation);
    make_operation(operation, gemm, types, a, b);
    Matrix matrix_a(api_.destroy_layout), matrix_b(api_.destroy_layout), matrix_c(api_.destroy_layout);
    make_matrix(matrix_a, a, gemm.batch, types.elements);
    make_matrix(matrix_b, b, gemm.batch, types.elements);
    make_matrix(matrix_c, c, gemm.batch, types.elements);
    Preference preference(api_.destroy_preference);
    make_preference(preference, gemm, arithmetic.dtype);
    cublasLtMatmulHeuristicResult_t result{};
    int found = 0;
    check(
        api_.get_heuristic(handle_, operation, matrix_a, matrix_b, matrix_c, matrix_c, preference, 1, &result, &found),
        "cublasLt chooses no algorithm");
    if (found == 0) throw std::runtime_error("cublasLt has no algorithm for this GEMM");
    check(result.state, "cublasLt chooses no algorithm");
    return described(result);
  }

  /// Returns a capability of an algorithm; 0 if the algorithm lacks that value.
  template <class Number>
  Number capability(const cublasLtMatmulAlgo_t& algorithm, cublasLtMatmulAlgoCapAttributes_t attribute) const {
    Number value{};
    std::size_t written = 0;
    const auto status = api_.get_capability(&algorithm, attribute, &value, sizeof value, &written);
    return status == CUBLAS_STATUS_SUCCESS ? value : Number{};
  }

  template <class Number>
  Number config(const cublasLtMatmulAlgo_t& algorithm, cublasLtMatmulAlgoConfigAttributes_t attribute) const {
    Number value{};
    std::size_t written = 0;
    const auto status = api_.get_config(&algorithm, attribute, &value, sizeof value, &written);
    return status == CUBLAS_STATUS_SUCCESS ? value : Number{};
  }

  GemmAlgorithm described(const cublasLtMatmulHeuristicResult_t& result) const {
    const cublasLtMatmulAlgo_t& algorithm = result.algo;
    GemmAlgorithm described;
    described.numerics =
        static_cast<std::int64_t>(capability<std::uint64_t>(algorithm, CUBLASLT_ALGO_CAP_NUMERICAL_IMPL_FLAGS));
    described.id = config<std::int32_t>(algorithm, CUBLASLT_ALGO_CONFIG_ID);
    described.tile = tile_name(static_cast<int>(config<std::uint32_t>(algorithm, CUBLASLT_ALGO_CONFIG_TILE_ID)));
    described.stages = config<std::uint32_t>(algorithm, CUBLASLT_ALGO_CONFIG_STAGES_ID);
    described.split_k = std::max(1, config<std::int32_t>(algorithm, CUBLASLT_ALGO_CONFIG_SPLITK_NUM));
    described.waves = result.wavesCount;
    described.workspace_bytes = static_cast<std::int64_t>(result.workspaceSize);
    // Reports list A before B, as LibTorch does; cublasLt's A is LibTorch's B.
    constexpr std::array kAlignments{CUBLASLT_ALGO_CAP_MIN_ALIGNMENT_B_BYTES, CUBLASLT_ALGO_CAP_MIN_ALIGNMENT_A_BYTES,
                                     CUBLASLT_ALGO_CAP_MIN_ALIGNMENT_C_BYTES, CUBLASLT_ALGO_CAP_MIN_ALIGNMENT_D_BYTES};
    for (std::size_t i = 0; i < kAlignments.size(); ++i) {
      described.alignment_bytes[i] = capability<std::uint32_t>(algorithm, kAlignments[i]);
    }
    return described;
  }

  CublasLtApi api_;
  std::uint64_t workspace_bytes_;
  cublasLtHandle_t handle_ = nullptr;
};

}  // namespace

OpenedHeuristic open_cublaslt_heuristic(int major) {
  constexpr std::uint64_t kMebibyte = 1 << 20;
  const char* path = std::getenv("AMPPROF_CUBLASLT");
  const CublasLtLibrary library = load_cublaslt(path != nullptr ? path : "");
  if (!library.error.empty()) return {.why = "cublasLt could not be loaded: " + library.error};
  try {
    // The workspace size that LibTorch uses: from Hopper on it is four times as large.
    return {.heuristic = std::make_unique<CublasLt>(library.api, (major >= 9 ? 32 : 8) * kMebibyte)};
  } catch (const std::runtime_error& error) {
    return {.why = error.what()};
  }
}

}  // namespace ampprof::probe
