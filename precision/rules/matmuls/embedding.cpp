// SPDX-License-Identifier: Apache-2.0
#include "precision/rules/matmuls/embedding.h"

namespace ampprof::rules {

std::optional<Matmul> matmul_of_embedding(std::string_view op, const Signature& signature) {
  if ((op != "embedding" && op != "embedding_bag") || signature.tensors.empty()) return std::nullopt;
  const auto& weight = signature.tensors[0].shape;
  if (weight.size() != 2 || weight[0] <= 0 || weight[1] <= 0) return std::nullopt;
  Matmul matmul;
  matmul.kind = MatmulKind::Embedding;
  matmul.dims = {{"vocabulary", weight[0]}, {"embedding", weight[1]}};
  matmul.alignable = {{"embedding", weight[1]}};
  matmul.counts_known = false;
  return matmul;
}

}  // namespace ampprof::rules
