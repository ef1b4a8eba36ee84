// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

#include "precision/kernel_names/classify.h"
#include "precision/kernel_names/name_words.h"

namespace ampprof::kernel_names {

/// One way to tell from a kernel's name whether it ran on Tensor Cores. The first rule that matches decides.
struct NameRule {
  std::string_view id;       ///< in JSON: never rename
  std::string_view summary;  ///< one line, for lists and tooltips
  Executed executed = Executed::Unknown;
  bool (*matches)(const NameWords&) = nullptr;
  bool multiplies = false;  ///< where Tensor Cores are not used, still a matmul: worth a word if it reads 16 bits
  Confidence confidence = Confidence::High;
};

/// All rules in the order they are asked.
std::span<const NameRule> name_rules();

}  // namespace ampprof::kernel_names
