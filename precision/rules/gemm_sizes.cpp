// SPDX-License-Identifier: Apache-2.0
#include "precision/rules/rule.h"

namespace ampprof {
namespace {

std::optional<Finding> check(const Product& product, const Demand& demand) {
  if (product.kind != ProductKind::Gemm) return std::nullopt;
  auto faults = misaligned(product, demand.multiple);
  if (faults.empty()) return std::nullopt;
  return Finding{.grade = Grade::Inefficient, .faults = std::move(faults), .reason = sizes_wanted(demand)};
}

}  // namespace

Rule gemm_sizes() { return {"gemm_sizes", "I, J and K of a GEMM fill whole blocks of the GPU's loads", check}; }

}  // namespace ampprof
