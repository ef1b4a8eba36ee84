// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <QWidget>
#include <atomic>
#include <memory>
#include <vector>

#include "reports/queries/report.h"

class QProgressBar;

namespace ampprof::gui {

/// How far the reports are that are read, and a button that drops them. Hidden where none is.
class ReadingProgress : public QWidget {
  Q_OBJECT

 public:
  explicit ReadingProgress(QWidget* parent = nullptr);

  /// A report is asked for. What is returned is for the thread that reads it, and may outlive this.
  queries::OpenProgress begin(const QString& path);
  /// It has been read, or cannot be. False where nobody waits for it any more.
  bool end(const QString& path);

 private:
  struct Awaited {
    QString path;
    std::shared_ptr<std::atomic<double>> share;  ///< of the steps that opening takes
  };

  void showShare();
  void cancel();

  QProgressBar* bar_;
  QTimer look_;
  int asked_ = 0;  ///< reports, since none was awaited
  std::vector<Awaited> awaited_;
};

}  // namespace ampprof::gui
