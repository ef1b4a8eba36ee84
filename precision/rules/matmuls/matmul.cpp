// SPDX-License-Identifier: Apache-2.0
#include "precision/rules/matmuls/matmul.h"

#include "precision/rules/matmuls/convolution.h"
#include "precision/rules/matmuls/embedding.h"
#include "precision/rules/matmuls/gemm.h"
#include "precision/rules/matmuls/recurrent.h"

namespace ampprof::rules {

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

std::optional<Matmul> matmul_of(std::string_view op, const Signature& signature) {
  const auto name = plain_name(op);
  for (const auto read : {matmul_of_gemm, matmul_of_convolution, matmul_of_recurrent, matmul_of_embedding}) {
    if (auto matmul = read(name, signature)) return matmul;
  }
  return std::nullopt;
}

}  // namespace ampprof::rules
