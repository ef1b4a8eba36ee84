// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointer>
#include <QTimer>
#include <QWidget>

class QLabel;
class QProgressBar;
class QPushButton;

namespace ampprof::gui {

class Page;

/// Indicates that the current page is being read, after kPatienceMs, with a button to cancel. If the reading was
/// cancelled, the button starts it again. Hidden otherwise.
class PageProgress : public QWidget {
  Q_OBJECT

 public:
  static constexpr int kPatienceMs = 200;

  explicit PageProgress(QWidget* parent = nullptr);

  /// Shows the state of `page` from now on; null for none.
  void follow(Page* page);

 private:
  void look();
  void showState();
  void press();

  QPointer<Page> page_;
  QTimer patience_;
  QLabel* said_;
  QProgressBar* bar_;
  QPushButton* button_;
};

}  // namespace ampprof::gui
