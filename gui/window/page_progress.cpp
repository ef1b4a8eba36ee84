// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/window/page_progress.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <utility>

#include "gui/pages/shared/page.h"

namespace ampprof::gui {
namespace {

constexpr int kBarWidth = 120;  // maximum width of the progress bar, in pixels

}  // namespace

PageProgress::PageProgress(QWidget* parent)
    : QWidget(parent), said_(new QLabel(this)), bar_(new QProgressBar(this)), button_(new QPushButton(this)) {
  bar_->setRange(0, 0);  // indeterminate: progress is unknown
  bar_->setMaximumWidth(kBarWidth);
  bar_->setAccessibleName("The page is being read");
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  for (QWidget* part : std::initializer_list<QWidget*>{said_, bar_, button_}) layout->addWidget(part);
  patience_.setSingleShot(true);
  patience_.setInterval(kPatienceMs);
  connect(&patience_, &QTimer::timeout, this, &PageProgress::showState);
  connect(button_, &QPushButton::clicked, this, &PageProgress::press);
  hide();
}

void PageProgress::follow(Page* page) {
  if (page != nullptr && page == page_) return;
  if (page_) disconnect(page_, &Page::readingChanged, this, nullptr);
  page_ = page;
  patience_.stop();
  hide();
  if (page_ == nullptr) return;
  connect(page_, &Page::readingChanged, this, &PageProgress::look);
  look();
}

void PageProgress::look() {
  if (page_->isReading()) {
    if (isHidden() && !patience_.isActive()) patience_.start();
    if (!isHidden()) showState();
    return;
  }
  patience_.stop();
  showState();
}

void PageProgress::showState() {
  const bool is_reading = page_ && page_->isReading();
  const bool is_cancelled = page_ && page_->isCancelled();
  setVisible(is_reading || is_cancelled);
  bar_->setVisible(is_reading);
  said_->setText(is_reading ? "Reading the page …" : "Reading the page was cancelled.");
  button_->setText(is_reading ? "Cancel" : "Read again");
  button_->setAccessibleName(is_reading ? "Cancel reading the page" : "Read the page again");
}

void PageProgress::press() {
  if (page_ == nullptr) return;
  page_->isReading() ? page_->cancelReading() : page_->readAgain();
}

}  // namespace ampprof::gui
