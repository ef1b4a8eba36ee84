// SPDX-License-Identifier: Apache-2.0
#include "reports/records/event.h"

#include "reports/records/enum_names.h"

namespace ampprof {

std::string_view name_of(NonfiniteCause cause) {
  constexpr std::array<std::string_view, 9> kTexts{
      "unknown",   "too large", "division by 0", "log of 0 or less", "root of a negative number",
      "inf - inf", "0 * inf",   "all masked",    "received"};
  return text_among(kTexts, cause);
}

std::string_view name_of(NonfiniteOutcome outcome) {
  constexpr std::array<std::string_view, 9> kTexts{"nothing",  "masked", "clamped", "result", "loss",
                                                   "gradient", "buffer", "weight",  "skipped"};
  return text_among(kTexts, outcome);
}

}  // namespace ampprof
