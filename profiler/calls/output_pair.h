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

/// Says how a matmul's operand is rounded.
struct RoundedOperand {
  at::Tensor operand;   ///< as the op took it
  at::Tensor rounding;  ///< rounded less exact, in BF16, of its sizes
  bool is_weight = false;
};

/// A recipe's product for the gradient of one argument of a forward call: for the same call in another run of its step.
struct GradientProduct {
  /// Returns that gradient of the call on `arguments`, where that of its first result is `gradient`.
  using Find = std::function<at::Tensor(c10::ArrayRef<c10::IValue> arguments, const at::Tensor& gradient)>;

  std::size_t argument = 0;
  Matmul matmul = Matmul::Dgrad;
  Find find{};
};

/// One output of a call, in two precisions: what reduced precision made of it, and what high precision would have.
struct OutputPair {
  at::Tensor output;  ///< the program's own tensor
  at::Tensor low{};
  at::Tensor high{};
  bool is_equal = false;         ///< the two are known to be the same
  Matmul matmul = Matmul::None;  ///< that a recipe computes here; then `output` may be one of an op inside the call
  std::vector<RoundedOperand> rounded{};              ///< of that, where these are all that differs; else empty
  std::optional<error::OutputStatistics> measured{};  ///< `low` against `high`, where that is known already
  at::Tensor difference{};                            ///< likewise, as impact::difference() gives it
  /// Hold how a recipe's backward gives this output, each in the place of what the ones before have given.
  std::vector<GradientProduct> products{};
};

}  // namespace ampprof::profiler
