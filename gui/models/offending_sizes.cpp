// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/offending_sizes.h"

#include <QRegularExpression>
#include <QSet>

namespace ampprof::gui {
namespace {

/// Finds all assignments like "N = 33", with any spacing around "=".
QRegularExpressionMatchIterator sizesIn(const QString& text) {
  static const QRegularExpression kSize("([A-Za-z_][A-Za-z_0-9]*)\\s*=\\s*(\\d+)");
  return kSize.globalMatch(text);
}

}  // namespace

QList<TextPart> offendingSizes(const QString& dimensions, const QString& offending) {
  QSet<QString> named;
  for (auto sizes = sizesIn(offending); sizes.hasNext();) {
    const QRegularExpressionMatch size = sizes.next();
    named << size.captured(1) + '=' + size.captured(2);
  }
  QList<TextPart> parts;
  for (auto sizes = sizesIn(dimensions); sizes.hasNext();) {
    const QRegularExpressionMatch size = sizes.next();
    if (named.contains(size.captured(1) + '=' + size.captured(2))) {
      parts << TextPart{size.capturedStart(2), size.capturedLength(2)};
    }
  }
  return parts;
}

}  // namespace ampprof::gui
