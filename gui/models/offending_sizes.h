// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>

namespace ampprof::gui {

/// A part of a text.
struct TextPart {
  qsizetype from = 0;
  qsizetype length = 0;

  bool operator==(const TextPart&) const = default;
};

/// The numbers in "M = 64, N = 33" whose dimension and size `offending` names as well, as it does in a Tensor Core
/// verdict: "N = 33".
QList<TextPart> offendingSizes(const QString& dimensions, const QString& offending);

}  // namespace ampprof::gui
