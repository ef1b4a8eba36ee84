// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

namespace amp {

/// tensor.to(type), which listeners are told of.
at::Tensor reported_cast(const at::Tensor& tensor, at::ScalarType type);
/// Casts what goes into a model or comes out of it, and tells listeners likewise.
at::Tensor cast_input(const at::Tensor& tensor, at::ScalarType type);

}  // namespace amp
