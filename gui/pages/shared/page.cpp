// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/shared/page.h"

#include <QApplication>
#include <QLabel>
#include <algorithm>

namespace ampprof::gui {
namespace {

constexpr const char* kWasCancelled = "Reading was cancelled.";

}  // namespace

Page::~Page() {
  for (std::stop_source& reading : readings_) reading.request_stop();  // nothing needs the results any more
}

void Page::offerFocus(QWidget* part) const {
  if (hasFocus() || isAncestorOf(QApplication::focusWidget())) part->setFocus();
}

std::stop_token Page::beginReading() {
  readings_.emplace_back();
  const std::stop_token stop = readings_.back().get_token();
  setCancelled(false);
  emit readingChanged();
  return stop;
}

bool Page::endReading(const std::stop_token& stop) {
  const auto ended =
      std::ranges::find_if(readings_, [&](const std::stop_source& reading) { return reading.get_token() == stop; });
  if (ended == readings_.end()) return false;
  readings_.erase(ended);
  emit readingChanged();
  return true;
}

void Page::cancelReading() {
  if (!isReading()) return;
  for (std::stop_source& reading : readings_) reading.request_stop();
  readings_.clear();
  setCancelled(true);
  cancelled();
  emit readingChanged();
}

void Page::readAgain() {
  if (is_cancelled_) reread();
}

void Page::setCancelled(bool is_cancelled) {
  if (is_cancelled == std::exchange(is_cancelled_, is_cancelled)) return;
  const QString before = is_cancelled ? kReading : kWasCancelled;
  for (QLabel* label : findChildren<QLabel*>()) {
    if (label->text() == before) label->setText(is_cancelled ? kWasCancelled : kReading);
  }
}

}  // namespace ampprof::gui
