// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAction>
#include <QDialog>
#include <functional>
#include <vector>

class QLabel;
class QLineEdit;
class QListWidget;

namespace ampprof::gui {

/// An entry of the palette.
struct Offer {
  QString name;
  QString note;                          ///< type of the entry ("finding") or its key ("Ctrl+E")
  std::function<void()> choose;          ///< called for Enter
  std::function<void()> choose_aside{};  ///< called for Ctrl+Enter; if empty, `choose` is called
};

/// Returns an offer for each enabled action.
std::vector<Offer> offersOf(const QList<QAction*>& actions);

/// A search dialog for pages, call sites, findings and commands. The user types words of a name, selects with the arrow
/// keys and confirms with Enter.
class CommandPalette : public QDialog {
  Q_OBJECT

 public:
  explicit CommandPalette(std::vector<Offer> offers, QWidget* parent);

  /// Appends offers that became available later.
  void add(std::vector<Offer> offers);
  /// Shows a sentence below the list: what is still being read, or other keys.
  void say(const QString& sentence);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void offer();
  void take(bool is_aside);

  std::vector<Offer> offers_;
  QLineEdit* words_;
  QListWidget* list_;
  QLabel* said_;
};

}  // namespace ampprof::gui
