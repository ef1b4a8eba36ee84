// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

namespace amp {

/// Returns tensor.to(type) and reports the cast to listeners.
at::Tensor reported_cast(const at::Tensor& tensor, at::ScalarType type);
/// Casts an input or output of a model and reports the cast to listeners.
at::Tensor cast_input(const at::Tensor& tensor, at::ScalarType type);

}  // namespace amp
