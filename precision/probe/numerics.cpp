// SPDX-License-Identifier: Apache-2.0
#include "precision/probe/numerics.h"

#include <array>
#include <utility>

namespace ampprof::probe {
namespace {

using Named = std::pair<std::uint64_t, std::string_view>;

constexpr std::array kInstructions{Named{numerics::kHmma, "HMMA"}, Named{numerics::kImma, "IMMA"},
                            Named{numerics::kDmma, "DMMA"}, Named{numerics::kFma, "FMA"}};
constexpr std::array kAccumulators{Named{numerics::kSums16, "fp16"}, Named{numerics::kSums32, "fp32"},
                                   Named{numerics::kSums64, "fp64"}, Named{numerics::kSumsInt, "int32"}};

std::string_view first_in(const GemmAlgorithm& algorithm, const std::array<Named, 4>& names) {
  for (const auto& [bit, name] : names) {
    if ((static_cast<std::uint64_t>(algorithm.numerics) & bit) != 0) return name;
  }
  return {};
}

}  // namespace

kernel_names::Executed executed_by(const GemmAlgorithm& algorithm) {
  const auto flags = static_cast<std::uint64_t>(algorithm.numerics);
  if ((flags & numerics::kTensorCores) != 0) return kernel_names::Executed::Used;
  if ((flags & numerics::kFma) == 0) return kernel_names::Executed::Unknown;
  const bool is_reduced = (flags & (numerics::kInputs16 | numerics::kInputsBf16 | numerics::kInputs8)) != 0;
  return is_reduced ? kernel_names::Executed::Fp16NotTensorCore : kernel_names::Executed::NotUsed;
}

std::string_view instruction_of(const GemmAlgorithm& algorithm) { return first_in(algorithm, kInstructions); }

std::string_view accumulator_of(const GemmAlgorithm& algorithm) { return first_in(algorithm, kAccumulators); }

std::string evidence_of(const GemmAlgorithm& algorithm) {
  std::string text = "cublasLt: ";
  text += instruction_of(algorithm).empty() ? "unknown instructions" : instruction_of(algorithm);
  if (const auto sums = accumulator_of(algorithm); !sums.empty()) text += ", sums in " + std::string(sums);
  if (!algorithm.tile.empty()) text += ", tile " + algorithm.tile;
  return text;
}

}  // namespace ampprof::probe
