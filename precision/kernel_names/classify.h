// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "reports/records/dtype.h"

namespace ampprof::kernel_names {

/// Whether a kernel ran on Tensor Cores.
enum class Executed : std::uint8_t {
  Used,
  NotUsed,
  Fp16NotTensorCore,  ///< multiplied values stored in 16 bits or fewer, and not on Tensor Cores
  Unknown,            ///< the name does not tell
};

/// How sure a rule is: High where the library's naming says it, Medium where it is only known of all names seen.
enum class Confidence : std::uint8_t { None, Medium, High };

/// The purpose of a kernel, to group rows by.
enum class KernelKind : std::uint8_t {
  Gemm,
  Convolution,
  Attention,
  SplitKReduction,  ///< adds up the parts of a matmul that was split along K
  CastCopy,
  Elementwise,
  Reduction,
  Normalization,
  Softmax,
  Optimizer,
  Memory,  ///< fills, copies by the driver, gathers and scatters
  Other,
};

/// Block of the result that one thread block computes. `k` is 0 where the name does not say it.
struct Tile {
  int m = 0;
  int n = 0;
  int k = 0;

  bool operator==(const Tile&) const = default;
};

/// Number types as far as the name says them; of complex numbers `input` and `output` are DType::Complex, the others
/// the type of a part.
struct KernelTypes {
  std::optional<DType> input = {};       ///< operands in memory
  std::optional<DType> output = {};      ///< result in memory
  std::optional<DType> multiply = {};    ///< what is multiplied
  std::optional<DType> accumulate = {};  ///< what sums are kept in
  bool tf32 = false;                     ///< `multiply` is Float, cut to TF32

  bool operator==(const KernelTypes&) const = default;
};

/// Facts that the name of a GPU kernel tells.
struct KernelFacts {
  Executed executed = Executed::Unknown;
  std::string_view evidence = {};  ///< id of the rule that decided; "" where none did
  Confidence confidence = Confidence::None;
  KernelKind kind = KernelKind::Other;
  KernelTypes types = {};
  std::optional<Tile> tile = {};
  std::optional<int> sm = {};  ///< architecture that it was written for: 80; newer GPUs run it, too

  bool operator==(const KernelFacts&) const = default;
};

/// Reads a name as CUPTI or a trace gives it, mangled or not. Any bytes are a name; only the first
/// `kLongestKernelName` count. Takes microseconds; callers keep the answer of a name they see often.
KernelFacts classify_kernel(std::string_view name);

constexpr std::size_t kLongestKernelName = 8192;

/// Names as in JSON, never renamed: used, not_used, fp16_not_tc, unknown.
std::string_view name_of(Executed executed);
/// high, medium, none.
std::string_view name_of(Confidence confidence);
/// gemm, convolution, attention, split_k_reduction, cast_copy, elementwise, reduction, normalization, softmax,
/// optimizer, memory, other.
std::string_view name_of(KernelKind kind);

}  // namespace ampprof::kernel_names
