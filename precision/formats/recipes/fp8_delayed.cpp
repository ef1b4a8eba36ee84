// SPDX-License-Identifier: Apache-2.0
#include "precision/formats/recipes/fp8_per_tensor.h"

namespace ampprof::recipes {

Shipped fp8_delayed() {
  constexpr int kHistory = 1024;
  Recipe recipe{.name = "fp8_delayed",
                .summary = "FP8, each tensor with a scale from its largest values in earlier steps"};
  set_fp8_per_tensor(recipe, Scale::TensorDelayed, kHistory);
  return {recipe};
}

}  // namespace ampprof::recipes
