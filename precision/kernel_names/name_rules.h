// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

#include "precision/kernel_names/classify.h"
#include "precision/kernel_names/name_words.h"

namespace ampprof::kernel_names {

/// A rule that tells from a kernel's name whether the kernel ran on Tensor Cores. The first matching rule decides.
struct NameRule {
  std::string_view id;       ///< in JSON: never rename
  std::string_view summary;  ///< one line, for lists and tooltips
  Executed executed = Executed::Unknown;
  bool (*matches)(const NameWords&) = nullptr;
  bool multiplies = false;  ///< matmul without Tensor Cores: classified as fp16_not_tc if operands have 16 bits
  Confidence confidence = Confidence::High;
};

/// Returns all rules in the order of evaluation.
std::span<const NameRule> name_rules();

}  // namespace ampprof::kernel_names
