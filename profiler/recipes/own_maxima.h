// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "precision/shadow/other_products.h"

namespace ampprof::profiler {

/// Lets the gradient of a max pooling go where the shadow has its maxima, not where the run has them: a shadow follows
/// the run's integers, but a program in a recipe would have its own. Without state; for calls of backward.
class OwnMaxima final : public shadow::OtherProducts {
 public:
  bool wants(const c10::OperatorHandle& op) const override;
  void replace(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> arguments,
               c10::ArrayRef<c10::IValue> counterparts, c10::ArrayRef<c10::IValue> returned,
               std::vector<at::Tensor>& outputs) override;
};

}  // namespace ampprof::profiler
