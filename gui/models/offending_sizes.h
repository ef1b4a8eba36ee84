// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>

namespace ampprof::gui {

/// A range of characters in a text.
struct TextPart {
  qsizetype from = 0;
  qsizetype length = 0;

  bool operator==(const TextPart&) const = default;
};

/// Finds the numbers in `dimensions` ("M = 64, N = 33") that `offending`, the text of a Tensor Core verdict, also names
/// with the same dimension ("N = 33").
QList<TextPart> offendingSizes(const QString& dimensions, const QString& offending);

}  // namespace ampprof::gui
