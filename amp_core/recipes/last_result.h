// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

namespace amp::recipes {

/// Remembers a result that this thread computed in a recipe, until the next.
void note_result(const at::Tensor& result);

/// Whether a tensor is the one that this thread computed in a recipe last: for who watches a call, as soon as it has
/// ended. Its type does not tell: a recipe over FP32 gives FP32.
bool is_last_result(const at::Tensor& tensor);

/// Whether any thread has computed one.
bool any_result();

}  // namespace amp::recipes
