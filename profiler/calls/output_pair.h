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

/// Computes the gradient of one argument of a forward call with the recipe's matmul, when a replay of the step runs the
/// call's backward.
struct GradientProduct {
  /// Returns the argument's gradient for the call on `arguments`. `gradient`: the gradient of the call's first result.
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
  Matmul matmul = Matmul::None;           ///< set for a recipe; `output` may then be that of an op inside the call
  std::vector<RoundedOperand> rounded{};  ///< the operands if only their rounding makes the error, otherwise empty
  std::optional<error::OutputStatistics> measured{};  ///< `low` against `high`, if known already
  at::Tensor difference{};                            ///< impact::difference(low, high), if known already
  /// The products that compute this output in a recipe's backward. Each replaces the result of the previous product.
  std::vector<GradientProduct> products{};
};

}  // namespace ampprof::profiler
