// SPDX-License-Identifier: Apache-2.0
#include "views/table/sentence.h"

#include "reports/text/elide.h"
#include "views/table/table.h"

namespace ampprof::views {

std::string wrapped(const Sentence& sentence, const text::Terminal& terminal) {
  std::string result;
  for (const std::string& line : text::wrap(sentence.text, terminal.width, 2)) {
    result += painted(line, sentence.tone, terminal.colours) + '\n';
  }
  return result;
}

}  // namespace ampprof::views
