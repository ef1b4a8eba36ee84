// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "precision/rules/alignment.h"
#include "precision/rules/verdict.h"

namespace ampprof {

/// What one rule says about a product.
template <typename Grade>
struct Judgement {
  Grade grade;
  Dimensions misaligned;  ///< empty where sizes are fine or do not matter
  std::int64_t step = 1;  ///< what the sizes should be multiples of
  std::string reason;
};

// The rules, one file each. To add one: its file here, its answer in TensorCoreVerdict, its paragraph in README.md, its
// table of cases in tests/precision/rules/.
Judgement<Rule2018> rule_2018(const Product& product, DType dtype);
Judgement<RuleToday> rule_today(const Product& product, DType dtype, const DeviceCaps& device);

}  // namespace ampprof
