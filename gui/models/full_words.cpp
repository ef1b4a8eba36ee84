// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/full_words.h"

#include <cstddef>
#include <string>

#include "reports/records/phase.h"

namespace ampprof::gui {
namespace {

QString asText(std::string_view utf8) { return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size())); }

}  // namespace

QString inFullWords(std::string_view cell, std::string_view exact) {
  QString words = asText(cell);
  const std::size_t begin = cell.size() > 2 && cell[1] == ' ' ? 2 : 0;  // after the mark of a comparison: "- bwd fc/mm"
  const std::string_view word = cell.substr(begin, cell.find(' ', begin) - begin);
  const auto phase = phase_from_short(word);
  if (phase && exact.starts_with(std::string(name_of(*phase)) + ' ')) {
    words.replace(static_cast<qsizetype>(begin), static_cast<qsizetype>(word.size()), asText(name_of(*phase)));
  }
  return words.replace(" -> ", " → ");
}

}  // namespace ampprof::gui
