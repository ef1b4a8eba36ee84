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

/// Finds the assignments in `dimensions` ("M = 64, N = 33") that the text of a Tensor Core verdict, `offending`,
/// contains as well ("N = 33"). Returns the positions of their numbers in `dimensions`.
QList<TextPart> offendingSizes(const QString& dimensions, const QString& offending);

}  // namespace ampprof::gui
