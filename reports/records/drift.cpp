// SPDX-License-Identifier: Apache-2.0
#include "reports/records/drift.h"

#include "reports/records/enum_names.h"

namespace ampprof {

std::string_view name_of(DriftClass drift_class) {
  constexpr std::array<std::string_view, 13> kTexts{"?",           "fine",    "short",    "unbiased", "bounded",
                                                    "correlated",  "biased",  "few lost", "lost",     "inherited",
                                                    "compensated", "residue", "broken"};
  return text_among(kTexts, drift_class);
}

std::string_view name_of(DriftRole role) {
  constexpr std::array<std::string_view, 5> kTexts{"?", "tensor", "parameter", "gradient", "state"};
  return text_among(kTexts, role);
}

}  // namespace ampprof
