// SPDX-License-Identifier: Apache-2.0
#include "precision/rules/rule.h"

namespace ampprof::rules {
namespace {

// gemm_sizes reports the size; this rule explains it and the remedy: padding the vocabulary with unused tokens.
std::optional<Finding> check(const Matmul& matmul, const RuleConditions& demand) {
  if (!matmul.vocabulary) return std::nullopt;
  const auto& [name, size] = matmul.alignable.at(*matmul.vocabulary);
  const std::int64_t wanted = round_up(size, demand.multiple);
  if (wanted == size) return std::nullopt;
  return Finding{.grade = Grade::Hint,
                 .reason = name + " is the vocabulary: pad it from " + std::to_string(size) + " to " +
                           std::to_string(wanted) + " with tokens that never occur."};
}

}  // namespace

Rule vocabulary_size() {
  return {"vocabulary_size", "a vocabulary that is a size of a matmul fills whole blocks of the GPU's loads", check};
}

}  // namespace ampprof::rules
