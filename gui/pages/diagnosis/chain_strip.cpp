// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/diagnosis/chain_strip.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QScrollBar>
#include <QToolButton>
#include <utility>

#include "gui/models/plain_tip.h"
#include "gui/pages/shared/clear_layout.h"

namespace ampprof::gui {
namespace {

constexpr std::size_t kMostLinks = 7;   // maximum length of a chain that is shown as a whole, in links
constexpr std::size_t kFirstLinks = 3;  // number of links that are shown at the start of a longer chain
constexpr std::size_t kLastLinks = 3;
constexpr int kLongestText = 52;  // maximum width of a box, in characters
constexpr int kBoxMargin = 4;     // space around the text of a box, in pixels
constexpr const char* kCallSite = "call_site";

/// Returns two lines: title and text. The text is elided in the middle, since a call site ends with its op.
QString linesOf(const ChainLink& link, const QFontMetrics& metrics) {
  const int width = kLongestText * metrics.averageCharWidth();
  const QString title = metrics.elidedText(link.title, Qt::ElideRight, width);
  return link.text.isEmpty() ? title : title + '\n' + metrics.elidedText(link.text, Qt::ElideMiddle, width);
}

QLabel* makeEffect(const ChainLink& link, const QFontMetrics& metrics) {
  auto* label = new QLabel(linesOf(link, metrics));
  label->setTextFormat(Qt::PlainText);
  label->setFrameStyle(QFrame::Box | QFrame::Plain);  // QFrame::StyledPanel is invisible on dark palettes
  label->setMargin(kBoxMargin);
  label->setToolTip(plainTip(link.title + '\n' + link.text));
  return label;
}

}  // namespace

ChainStrip::ChainStrip(QWidget* parent) : QScrollArea(parent) {
  setAccessibleName("From cause to effect");
  setFrameShape(QFrame::NoFrame);
  setWidgetResizable(true);
  setFocusPolicy(Qt::NoFocus);
  setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  auto* row = new QWidget;
  boxes_ = new QHBoxLayout(row);
  boxes_->setContentsMargins(0, kBoxMargin, 0, kBoxMargin);
  setWidget(row);
}

QSize ChainStrip::sizeHint() const {
  return {kLongestText * fontMetrics().averageCharWidth(),
          widget()->sizeHint().height() + horizontalScrollBar()->sizeHint().height()};
}

void ChainStrip::show(std::vector<ChainLink> chain) {
  chain_ = std::move(chain);
  is_whole_ = chain_.size() <= kMostLinks;
  QStringList said;
  for (const ChainLink& link : chain_) said << link.title + ' ' + link.text;
  setAccessibleDescription(said.join(", "));
  fill();
}

void ChainStrip::fill() {
  clearLayout(boxes_);
  for (std::size_t place = 0; place < chain_.size(); ++place) {
    const ChainLink& link = chain_[place];
    if (!is_whole_ && place == kFirstLinks) {
      const std::size_t last = chain_.size() - kLastLinks;
      auto* more = new QToolButton;
      more->setText(QString("%1 more ops").arg(last - place));
      connect(more, &QToolButton::clicked, this, [this] {
        is_whole_ = true;
        fill();
      });
      add(more);
      place = last - 1;
      continue;
    }
    add(link.call_site.isEmpty() ? static_cast<QWidget*>(makeEffect(link, fontMetrics())) : makeOp(link));
  }
  boxes_->addStretch();
  select(selected_);
  updateGeometry();
}

void ChainStrip::add(QWidget* box) {
  if (boxes_->count() > 0) boxes_->addWidget(new QLabel("→"));
  boxes_->addWidget(box, 0, Qt::AlignVCenter);
}

QToolButton* ChainStrip::makeOp(const ChainLink& link) {
  auto* button = new QToolButton;
  button->setText(linesOf(link, fontMetrics()).replace('&', "&&"));
  button->setAccessibleName(link.title + ' ' + link.text);
  button->setToolTip(plainTip(link.title + '\n' + link.text));
  button->setCheckable(true);
  button->setProperty(kCallSite, link.call_site);
  connect(button, &QToolButton::clicked, this, [this, site = link.call_site] {
    select(site);
    emit opChosen(site);
  });
  return button;
}

void ChainStrip::select(const QString& call_site) {
  selected_ = call_site;
  for (int place = 0; place < boxes_->count(); ++place) {
    auto* button = qobject_cast<QToolButton*>(boxes_->itemAt(place)->widget());
    if (button && button->isCheckable()) button->setChecked(button->property(kCallSite).toString() == call_site);
  }
}

}  // namespace ampprof::gui
