// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "reports/records/dtype.h"

namespace ampprof::kernel_names {

/// Tells whether a kernel ran on Tensor Cores.
enum class Executed : std::uint8_t {
  Used,
  NotUsed,
  Fp16NotTensorCore,  ///< multiplied values stored in 16 bits or fewer without Tensor Cores
  Unknown,            ///< unknown from the name
};

/// Certainty of a rule: High if the library's naming scheme defines the rule, Medium if the rule agrees with all names
/// recorded so far.
enum class Confidence : std::uint8_t { None, Medium, High };

/// Purpose of a kernel, to group rows by.
enum class KernelKind : std::uint8_t {
  Gemm,
  Convolution,
  Attention,
  SplitKReduction,  ///< adds the partial results of a matmul that was split along K
  CastCopy,
  Elementwise,
  Reduction,
  Normalization,
  Softmax,
  Optimizer,
  Memory,  ///< fills, copies by the driver, gathers and scatters
  Other,
};

/// Part of the result that one thread block computes. `k` is 0 if unknown from the name.
struct Tile {
  int m = 0;
  int n = 0;
  int k = 0;

  bool operator==(const Tile&) const = default;
};

/// Number types, as far as the name of the kernel tells. For complex numbers `input` and `output` are DType::Complex;
/// `multiply` and `accumulate` are the type of the real part.
struct KernelTypes {
  std::optional<DType> input = {};       ///< operands in memory
  std::optional<DType> output = {};      ///< result in memory
  std::optional<DType> multiply = {};    ///< type of the products' factors
  std::optional<DType> accumulate = {};  ///< type of the sums
  bool tf32 = false;                     ///< `multiply` is Float, cut to TF32

  bool operator==(const KernelTypes&) const = default;
};

/// Facts derived from the name of a GPU kernel.
struct KernelFacts {
  Executed executed = Executed::Unknown;
  std::string_view evidence = {};  ///< id of the rule that matched; "" if none did
  Confidence confidence = Confidence::None;
  KernelKind kind = KernelKind::Other;
  KernelTypes types = {};
  std::optional<Tile> tile = {};
  std::optional<int> sm = {};  ///< architecture that the kernel was written for, such as 80; newer GPUs run it too

  bool operator==(const KernelFacts&) const = default;
};

/// Classifies a name from CUPTI or a trace, mangled or not. Accepts any bytes and reads the first `kLongestKernelName`.
/// Takes microseconds; callers should cache the result for frequent names.
KernelFacts classify_kernel(std::string_view name);

constexpr std::size_t kLongestKernelName = 8192;

/// Returns a name for JSON, never renamed: used, not_used, fp16_not_tc, unknown.
std::string_view name_of(Executed executed);
/// Returns high, medium or none.
std::string_view name_of(Confidence confidence);
/// Returns gemm, convolution, attention, split_k_reduction, cast_copy, elementwise, reduction, normalization, softmax,
/// optimizer, memory or other.
std::string_view name_of(KernelKind kind);

}  // namespace ampprof::kernel_names
