// SPDX-License-Identifier: Apache-2.0
#include "reports/text/listed.h"

#include <fmt/format.h>

namespace ampprof::text {

std::string listed(const std::vector<std::string>& names, std::string_view last) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? fmt::format(" {} ", last) : ", ";
    text += names[i];
  }
  return text;
}

}  // namespace ampprof::text
