// SPDX-License-Identifier: Apache-2.0
#include "precision/kernel_names/classify.h"

#include <algorithm>
#include <array>

#include "precision/kernel_names/kinds.h"
#include "precision/kernel_names/name_rules.h"
#include "precision/kernel_names/types.h"

namespace ampprof::kernel_names {
namespace {

bool is_matmul(KernelKind kind) {
  return kind == KernelKind::Gemm || kind == KernelKind::Convolution || kind == KernelKind::Attention;
}

}  // namespace

KernelFacts classify_kernel(std::string_view full_name) {
  const NameWords name = words_of(full_name.substr(0, kLongestKernelName));
  KernelFacts facts{.kind = kind_of(name), .sm = architecture_of(name)};
  const auto rules = name_rules();
  const auto rule = std::ranges::find_if(rules, [&](const NameRule& each) { return each.matches(name); });
  if (rule != rules.end()) {
    facts.executed = rule->executed;
    facts.evidence = rule->id;
    facts.confidence = rule->confidence;
  }
  if (!is_matmul(facts.kind)) return facts;
  facts.types = types_of(name);
  facts.tile = tile_of(name);
  const bool reads_reduced = facts.types.input && is_reduced_precision(*facts.types.input);
  const bool could_use = facts.executed == Executed::NotUsed && rule->multiplies;
  if (could_use && reads_reduced) facts.executed = Executed::Fp16NotTensorCore;
  return facts;
}

std::string_view name_of(Executed executed) {
  constexpr auto kNames = std::to_array<std::string_view>({"used", "not_used", "fp16_not_tc", "unknown"});
  return kNames.at(static_cast<std::size_t>(executed));
}

std::string_view name_of(Confidence confidence) {
  constexpr auto kNames = std::to_array<std::string_view>({"none", "medium", "high"});
  return kNames.at(static_cast<std::size_t>(confidence));
}

std::string_view name_of(KernelKind kind) {
  constexpr auto kNames = std::to_array<std::string_view>({"gemm", "convolution", "attention", "split_k_reduction",
                                                           "cast_copy", "elementwise", "reduction", "normalization",
                                                           "softmax", "optimizer", "memory", "other"});
  return kNames.at(static_cast<std::size_t>(kind));
}

}  // namespace ampprof::kernel_names
