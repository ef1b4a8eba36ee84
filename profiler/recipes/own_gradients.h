// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "precision/replay/variant/other_products.h"

namespace ampprof::profiler {

/// Gives a shadow that a recipe leads the gradients of its own forward, where a backward op reads what the run's has
/// kept: the maxima of a max pooling, which are integers and the run's, and what attention in one kernel gave, which is
/// the recipe's and not what its backward expects of query and key. Without state; for calls of backward.
class OwnGradients final : public shadow::OtherProducts {
 public:
  bool wants(const c10::OperatorHandle& op) const override;
  void replace(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> arguments,
               c10::ArrayRef<c10::IValue> counterparts, c10::ArrayRef<c10::IValue> returned,
               std::vector<at::Tensor>& outputs) override;
};

}  // namespace ampprof::profiler
