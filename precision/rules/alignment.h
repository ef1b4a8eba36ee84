// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "precision/rules/product.h"

namespace ampprof {

std::int64_t round_up(std::int64_t value, std::int64_t step);

/// The alignable dimensions of a product that are no multiple of `step`, as they are.
Dimensions misaligned(const Product& product, std::int64_t step);

/// Work of the product with these dimensions padded to `step`, over its work as it is, minus 1.
double padding_cost(const Dimensions& misaligned, std::int64_t step);

}  // namespace ampprof
