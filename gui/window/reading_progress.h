// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <QWidget>
#include <atomic>
#include <memory>
#include <stop_token>
#include <vector>

#include "reports/queries/report.h"

class QProgressBar;

namespace ampprof::gui {

/// How far the reports are that are read, and a button that drops them. Hidden where none is.
class ReadingProgress : public QWidget {
  Q_OBJECT

 public:
  explicit ReadingProgress(QWidget* parent = nullptr);

  /// Begins to wait for a report. The thread that reads it gets the result, which may outlive this.
  queries::OpenProgress begin(const QString& path);
  /// Returns the token of the newest report, which tells its thread that nobody waits any more.
  std::stop_token stop() const { return awaited_.back().stop.get_token(); }
  /// It has been read, or cannot be. False where nobody waits for it any more.
  bool end(const QString& path);

 private:
  struct Awaited {
    QString path;
    std::shared_ptr<std::atomic<double>> share;  ///< of the steps that opening takes
    std::stop_source stop = {};
  };

  void showShare();
  void cancel();

  QProgressBar* bar_;
  QTimer look_;
  int asked_ = 0;  ///< reports, since none was awaited
  std::vector<Awaited> awaited_;
};

}  // namespace ampprof::gui
