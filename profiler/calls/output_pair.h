// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "precision/error/output_statistics.h"
#include "reports/records/matmul.h"

namespace ampprof::profiler {

/// An operand of a matmul, and its rounding error.
struct RoundedOperand {
  at::Tensor operand;   ///< the op's argument
  at::Tensor rounding;  ///< rounded minus exact, in BF16, with the operand's sizes
  bool is_weight = false;
};

/// Computes the gradient of one argument of a forward call with a recipe's matmul. Used when the backward pass of the
/// step runs again on the tape.
struct GradientProduct {
  /// Computes the gradient. `arguments`: the arguments of the forward call. `gradient`: the gradient of its first
  /// result.
  using Find = std::function<at::Tensor(c10::ArrayRef<c10::IValue> arguments, const at::Tensor& gradient)>;

  std::size_t argument = 0;
  Matmul matmul = Matmul::Dgrad;
  Find find{};
};

/// One output of a call in two precisions: in reduced precision, and in high precision.
struct OutputPair {
  at::Tensor output;  ///< the program's own tensor
  at::Tensor low{};
  at::Tensor high{};
  bool is_equal = false;                  ///< `low` and `high` are known to be equal
  Matmul matmul = Matmul::None;           ///< set for a recipe; `output` may then be the output of an inner op
  std::vector<RoundedOperand> rounded{};  ///< the operands if only their rounding causes the error; else empty
  std::optional<error::OutputStatistics> measured{};  ///< statistics of `low` against `high`, if already known
  at::Tensor difference{};                            ///< impact::difference(low, high), if already known
  /// The matmuls that compute this output in a recipe's backward, in order. Each replaces the result of the one before.
  std::vector<GradientProduct> products{};
};

}  // namespace ampprof::profiler
