// SPDX-License-Identifier: Apache-2.0
#include "precision/rules/products/product.h"

namespace ampprof {

std::string_view plain_name(std::string_view op) {
  if (const auto colons = op.find("::"); colons != std::string_view::npos) op.remove_prefix(colons + 2);
  op = op.substr(0, op.find('.'));
  if (op.size() > 1 && op.ends_with('_')) op.remove_suffix(1);
  return op;
}

double Term::at(const Dimensions& sizes) const {
  double value = factor;
  for (const std::size_t place : of) value *= static_cast<double>(sizes.at(place).second);
  return value;
}

std::optional<Product> product_of(std::string_view op, const Signature& signature) {
  const auto name = plain_name(op);
  for (const auto read : {gemm_product, convolution_product, recurrent_product, embedding_product}) {
    if (auto product = read(name, signature)) return product;
  }
  return std::nullopt;
}

}  // namespace ampprof
