// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "precision/kernel_names/classify.h"
#include "reports/records/probe.h"

namespace ampprof::probe {

/// Bits of CUBLASLT_NUMERICAL_IMPL_FLAGS.
namespace numerics {
inline constexpr std::uint64_t kFma = 0x1;
inline constexpr std::uint64_t kHmma = 0x2;
inline constexpr std::uint64_t kImma = 0x4;
inline constexpr std::uint64_t kDmma = 0x8;
inline constexpr std::uint64_t kTensorCores = 0xfe;
inline constexpr std::uint64_t kSums16 = 0x1 << 8;
inline constexpr std::uint64_t kSums32 = 0x2 << 8;
inline constexpr std::uint64_t kSums64 = 0x4 << 8;
inline constexpr std::uint64_t kSumsInt = 0x8 << 8;
inline constexpr std::uint64_t kInputs16 = 0x1 << 16;
inline constexpr std::uint64_t kInputsBf16 = 0x2 << 16;
inline constexpr std::uint64_t kInputsTf32 = 0x4 << 16;
inline constexpr std::uint64_t kInputs32 = 0x8 << 16;
inline constexpr std::uint64_t kInputs64 = 0x10 << 16;
inline constexpr std::uint64_t kInputs8 = 0xe0 << 16;  ///< integers and both FP8 types
}  // namespace numerics

/// Returns whether the algorithm runs on Tensor Cores: used, not_used, fp16_not_tc; unknown if the flags name no
/// instruction.
kernel_names::Executed executed_by(const GemmAlgorithm& algorithm);

/// Returns the instruction that multiplies: "HMMA", "FMA", "DMMA", "IMMA"; "" if the flags name none.
std::string_view instruction_of(const GemmAlgorithm& algorithm);

/// Returns the type of the accumulator: "fp16", "fp32", "fp64", "int32"; "" if the flags do not tell.
std::string_view accumulator_of(const GemmAlgorithm& algorithm);

/// Returns a text for reports: "cublasLt: HMMA, sums in fp32, tile 128x256".
std::string evidence_of(const GemmAlgorithm& algorithm);

}  // namespace ampprof::probe
