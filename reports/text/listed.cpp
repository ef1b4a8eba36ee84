// SPDX-License-Identifier: Apache-2.0
#include "reports/text/listed.h"

namespace ampprof::text {

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " and " : ", ";
    text += names[i];
  }
  return text;
}

}  // namespace ampprof::text
