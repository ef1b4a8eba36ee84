// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTreeWidget>

namespace ampprof::queries {
struct EventRow;
}

namespace ampprof::gui {

/// How an overflow went: the op where it began, those it spread through, the parameters whose gradients it reached.
class EventDetails : public QTreeWidget {
  Q_OBJECT

 public:
  explicit EventDetails(QWidget* parent = nullptr);

  void show(const queries::EventRow& event);

 signals:
  /// The user chose an op of the chain: its call site, as in OpRow.
  void opChosen(const QString& call_site);
};

}  // namespace ampprof::gui
