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

/// Says that the page in front is being read, once that takes long enough to be noticed, with a button that cancels it.
/// A page whose reading was cancelled has a button that begins it again. Hidden otherwise.
class PageProgress : public QWidget {
  Q_OBJECT

 public:
  static constexpr int kPatienceMs = 200;

  explicit PageProgress(QWidget* parent = nullptr);

  /// Shows the state of this page from now on; null for none.
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
