// SPDX-License-Identifier: Apache-2.0
#include "precision/formats/recipes/fp8_per_tensor.h"

namespace ampprof::recipes {

Shipped fp8_current() {
  Recipe recipe{.name = "fp8_current", .summary = "FP8, each tensor with a scale from its own largest value"};
  set_fp8_per_tensor(recipe, Scale::Tensor, 0);
  return {recipe};
}

}  // namespace ampprof::recipes
