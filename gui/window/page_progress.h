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

/// Tells that the current page has been reading for kPatienceMs or longer, with a button to cancel, or that its reading
/// was cancelled, with a button to restart. Hidden otherwise.
class PageProgress : public QWidget {
  Q_OBJECT

 public:
  static constexpr int kPatienceMs = 200;

  explicit PageProgress(QWidget* parent = nullptr);

  /// Shows the state of `page` from now on; if `page` is null, hides.
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
