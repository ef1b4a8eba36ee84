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

  /// Adds a report that is being opened. Returns the progress callback for the thread that reads the report. The
  /// callback may outlive this object.
  queries::OpenProgress begin(const QString& path);
  /// Returns the stop token of the report added last, for the thread that reads it.
  std::stop_token stop() const { return awaited_.back().stop.get_token(); }
  /// Removes a report after opening has succeeded or failed. Returns false if the user cancelled the opening before.
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
