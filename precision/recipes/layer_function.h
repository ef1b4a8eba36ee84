// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "precision/recipes/layer.h"

namespace amp::recipes {

/// Computes a layer's output. Autograd runs the backward in the layer's recipes too. A second derivative throws an
/// Error.
at::Tensor apply(const std::shared_ptr<const Layer>& layer, const Operands& operands);

}  // namespace amp::recipes
