// SPDX-License-Identifier: Apache-2.0
#include "precision/rules/alignment.h"

namespace ampprof {

std::int64_t round_up(std::int64_t value, std::int64_t step) {
  const std::int64_t rest = value % step;
  return rest == 0 ? value : value - rest + step;
}

Dimensions misaligned(const Product& product, std::int64_t step) {
  Dimensions found;
  for (const auto& dimension : product.alignable) {
    if (dimension.second % step != 0) found.push_back(dimension);
  }
  return found;
}

double padding_cost(const Dimensions& misaligned, std::int64_t step) {
  double factor = 1.0;
  for (const auto& [name, size] : misaligned) {
    factor *= static_cast<double>(round_up(size, step)) / static_cast<double>(size);
  }
  return factor - 1.0;
}

}  // namespace ampprof
