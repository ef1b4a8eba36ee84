// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include <string_view>

namespace ampprof::reference {

/// Whether a random op that was run again in another precision drew the numbers that it drew first. Generators that
/// moved alike are not enough: some kernels make other numbers of the same bits in another type.
///
/// `name` is the op's without overload, `again` what the second call returned. Tensors that are not floating must be
/// equal. A zero must not meet a value that is clearly none: that is another mask. And ops that do no more than scale
/// by what they drew must agree within a few ulp on average.
bool same_draw(std::string_view name, c10::ArrayRef<c10::IValue> returned, c10::ArrayRef<c10::IValue> again);

}  // namespace ampprof::reference
