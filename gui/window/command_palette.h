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

/// Something that the palette finds by its name.
struct Offer {
  QString name;
  QString note;                          ///< what it is: "finding", "Ctrl+E"
  std::function<void()> choose;          ///< Enter
  std::function<void()> choose_aside{};  ///< Ctrl+Enter; empty where that is the same
};

/// Makes offers of the actions that can be run now.
std::vector<Offer> offersOf(const QList<QAction*>& actions);

/// Finds pages, call sites, findings and commands by words of their names: typed, chosen with the arrows, taken with
/// Enter.
class CommandPalette : public QDialog {
  Q_OBJECT

 public:
  explicit CommandPalette(std::vector<Offer> offers, QWidget* parent);

  /// Adds what was read later, behind the others.
  void add(std::vector<Offer> offers);
  /// Says below the list what is still read, or how else to choose.
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
