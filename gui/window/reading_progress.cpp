// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/window/reading_progress.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <algorithm>
#include <cmath>

namespace ampprof::gui {
namespace {

constexpr int kLookMs = 50;

}  // namespace

ReadingProgress::ReadingProgress(QWidget* parent) : QWidget(parent) {
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  bar_ = new QProgressBar(this);
  bar_->setAccessibleName("Opening a report");
  bar_->setToolTip("Share of the report's tables that have been checked");
  auto* cancel = new QPushButton("Cancel", this);
  connect(cancel, &QPushButton::clicked, this, &ReadingProgress::cancel);
  for (QWidget* part : std::initializer_list<QWidget*>{new QLabel("Reading …", this), bar_, cancel}) {
    layout->addWidget(part);
  }
  look_.setInterval(kLookMs);
  connect(&look_, &QTimer::timeout, this, &ReadingProgress::showShare);
  hide();
}

queries::OpenProgress ReadingProgress::begin(const QString& path) {
  const auto share = std::make_shared<std::atomic<double>>(0);
  awaited_.push_back({path, share});
  ++asked_;
  showShare();
  // + 1, since the runs are read after the last table.
  return [share](std::int64_t checked, std::int64_t tables) {
    *share = static_cast<double>(checked) / static_cast<double>(tables + 1);
  };
}

bool ReadingProgress::end(const QString& path) {
  const auto ended = std::ranges::find(awaited_, path, &Awaited::path);
  if (ended == awaited_.end()) return false;
  awaited_.erase(ended);
  showShare();
  return true;
}

void ReadingProgress::cancel() {
  for (Awaited& report : awaited_) report.stop.request_stop();
  awaited_.clear();
  showShare();
}

void ReadingProgress::showShare() {
  if (awaited_.empty()) asked_ = 0;
  awaited_.empty() ? look_.stop() : look_.start();
  setVisible(!awaited_.empty());
  double done = asked_ - static_cast<double>(awaited_.size());
  for (const Awaited& report : awaited_) done += *report.share;
  // Indeterminate until the first table is checked, for example while the file is copied.
  bar_->setRange(0, done > 0 ? 100 : 0);
  if (done > 0) bar_->setValue(static_cast<int>(std::floor(100 * done / asked_)));
}

}  // namespace ampprof::gui
