// SPDX-License-Identifier: Apache-2.0
#include "precision/rules/products/product.h"

namespace ampprof {

std::optional<Product> embedding_product(std::string_view op, const Signature& signature) {
  if ((op != "embedding" && op != "embedding_bag") || signature.tensors.empty()) return std::nullopt;
  const auto& weight = signature.tensors[0].shape;
  if (weight.size() != 2 || weight[0] <= 0 || weight[1] <= 0) return std::nullopt;
  Product product;
  product.kind = ProductKind::Embedding;
  product.dims = {{"vocabulary", weight[0]}, {"embedding", weight[1]}};
  product.alignable = {{"embedding", weight[1]}};
  product.counts_known = false;
  return product;
}

}  // namespace ampprof
