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

/// Shows the progress of reports that are being opened, with a button to cancel all of them. Hidden if there are none.
class ReadingProgress : public QWidget {
  Q_OBJECT

 public:
  explicit ReadingProgress(QWidget* parent = nullptr);

  /// Starts to wait for a report. Returns the progress callback for its reading thread. The callback may outlive this
  /// object.
  queries::OpenProgress begin(const QString& path);
  /// Returns the stop token of the newest report, for its reading thread.
  std::stop_token stop() const { return awaited_.back().stop.get_token(); }
  /// Stops waiting for a report that was read or could not be read. Returns false if the user cancelled it before.
  bool end(const QString& path);

 private:
  struct Awaited {
    QString path;
    std::shared_ptr<std::atomic<double>> share;  ///< fraction of the opening that is done, from 0 to 1
    std::stop_source stop = {};
  };

  void showShare();
  void cancel();

  QProgressBar* bar_;
  QTimer look_;
  int asked_ = 0;  ///< number of begin() calls since this widget was last hidden
  std::vector<Awaited> awaited_;
};

}  // namespace ampprof::gui
