// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTreeWidget>

namespace ampprof::queries {
struct EventRow;
}

namespace ampprof::gui {

/// Describes an overflow: the op where NaN or inf began, the ops through which they spread, and the parameters whose
/// gradients they reached.
class EventDetails : public QTreeWidget {
  Q_OBJECT

 public:
  explicit EventDetails(QWidget* parent = nullptr);

  void show(const queries::EventRow& event);

 signals:
  /// Emitted when the user selects an op of the chain; `call_site` is an OpRow::call_site.
  void opChosen(const QString& call_site);
};

}  // namespace ampprof::gui
