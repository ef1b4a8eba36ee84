// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reports/records/signature.h"

namespace ampprof {

using Dimensions = std::vector<std::pair<std::string, std::int64_t>>;

/// What a GEMM or a convolution multiplies: all that the Tensor Core rules look at.
struct Product {
  Dimensions dims;       ///< as shown to people: I, J, K; or C_in, C_out, batch, groups
  Dimensions alignable;  ///< the dimensions whose size decides how well Tensor Cores are fed
  bool is_depthwise = false;
};

/// Reads a GEMM's dimensions from what the op received. `op` is a plain name: no namespace, overload or final "_".
/// Empty for other ops, for shapes that make it a matrix-vector product, and where nothing is multiplied.
std::optional<Product> gemm_product(std::string_view op, const Signature& signature);

/// The same for a convolution and its backward.
std::optional<Product> convolution_product(std::string_view op, const Signature& signature);

/// The product of an op by its full name ("aten::addmm_.out"), or empty.
std::optional<Product> product_of(std::string_view op, const Signature& signature);

}  // namespace ampprof
