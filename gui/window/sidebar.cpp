// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/window/sidebar.h"

#include <QEvent>
#include <QScrollBar>
#include <algorithm>

#include "gui/look/look.h"
#include "gui/pages/shared/page_titles.h"

namespace ampprof::gui {
namespace {

constexpr int kPageRole = Qt::UserRole;       // index into kPageTitles; not set for the title of a group
constexpr int kEmptyRole = Qt::UserRole + 1;  // bool: the page has no data
constexpr int kGroupRole = Qt::UserRole + 2;  // index into kGroupTitles
constexpr int kRowPadding = 4;                // pixels added to the height of a row
constexpr int kPagesWithKeys = 9;             // number of pages with a shortcut, Alt+1 to Alt+9

QString tipOf(int page, bool is_empty) {
  QStringList lines;
  if (page < kPagesWithKeys) lines << QString("Alt+%1").arg(page + 1);
  if (is_empty) lines << "The report has nothing for this page.";
  const PageTitle& title = kPageTitles[static_cast<std::size_t>(page)];
  if (is_empty && *title.flags != '\0') lines << QString("Record it: ampprof run %1 -- PROGRAM").arg(title.flags);
  return lines.join('\n');
}

}  // namespace

Sidebar::Sidebar(bool is_distributed, QWidget* parent) : QListWidget(parent), is_distributed_(is_distributed) {
  setAccessibleName("Pages");
  setFrameShape(QFrame::NoFrame);
  setViewportMargins(Space::kGap, Space::kGap, 0, 0);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Expanding);
  for (std::size_t group = 0; group < kGroupTitles.size(); ++group) {
    addGroup(static_cast<int>(group), is_distributed || PageGroup(group) != PageGroup::Distributed);
  }
  setColours();
  connect(this, &QListWidget::currentItemChanged, this, [this](const QListWidgetItem* item) {
    if (item != nullptr && item->data(kPageRole).isValid()) emit chosen(item->data(kPageRole).toInt());
  });
}

void Sidebar::addGroup(int group, bool is_shown) {
  auto* title = new QListWidgetItem(kGroupTitles[static_cast<std::size_t>(group)], this);
  title->setFlags(Qt::NoItemFlags);  // so that the arrow keys skip the title
  title->setHidden(!is_shown);
  title->setData(kGroupRole, group);
  title->setTextAlignment(Qt::AlignBottom | Qt::AlignLeft);
  title->setFont(scaled(font(), TextSize::Heading));
  title->setSizeHint({0, fontMetrics().height() + kRowPadding + (group == 0 ? 0 : Space::kGap)});
  for (const PageTitle& page : kPageTitles) {
    if (page.group != PageGroup(group)) continue;
    const auto place = static_cast<int>(pages_.size());
    pages_.push_back(new QListWidgetItem(page.title, this));
    pages_.back()->setHidden(!is_shown);
    pages_.back()->setData(kPageRole, place);
    pages_.back()->setData(kGroupRole, group);
    pages_.back()->setToolTip(tipOf(place, false));
    pages_.back()->setSizeHint({0, fontMetrics().height() + kRowPadding});
  }
}

void Sidebar::choosePage(int page) {
  QListWidgetItem* wanted = pages_.at(static_cast<std::size_t>(page));
  if (wanted->isHidden()) showGroup(wanted->data(kGroupRole).toInt());
  setCurrentItem(wanted);
}

void Sidebar::showGroup(int group) {
  for (int row = 0; row < count(); ++row) {
    if (item(row)->data(kGroupRole).toInt() == group) item(row)->setHidden(false);
  }
}

bool Sidebar::isFilled(int page, const std::vector<std::string>& tables) const {
  const PageTitle& title = kPageTitles[static_cast<std::size_t>(page)];
  if (title.group == PageGroup::Distributed && !is_distributed_) return false;
  const QStringList wanted = QString(title.tables).split(' ', Qt::SkipEmptyParts);
  return wanted.empty() || std::ranges::any_of(tables, [&](const std::string& table) {
           return wanted.contains(QString::fromStdString(table));
         });
}

bool Sidebar::isEmpty(int page) const { return pages_.at(static_cast<std::size_t>(page))->data(kEmptyRole).toBool(); }

void Sidebar::showFilled(const std::vector<std::string>& tables) {
  for (std::size_t place = 0; place < pages_.size(); ++place) {
    const PageTitle& page = kPageTitles[place];
    const bool is_empty = !isFilled(static_cast<int>(place), tables);
    pages_[place]->setData(kEmptyRole, is_empty);
    pages_[place]->setData(Qt::AccessibleTextRole, is_empty ? QString(page.title) + ", empty" : QVariant());
    pages_[place]->setToolTip(tipOf(static_cast<int>(place), is_empty));
  }
  setColours();
}

QSize Sidebar::sizeHint() const {
  int widest = 0;
  for (int row = 0; row < count(); ++row) {
    widest = std::max(widest, QFontMetrics(item(row)->font()).horizontalAdvance(item(row)->text()));
  }
  return {widest + 2 * Space::kSection + verticalScrollBar()->sizeHint().width(), QListWidget::sizeHint().height()};
}

void Sidebar::changeEvent(QEvent* event) {
  QListWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) setColours();
}

void Sidebar::setColours() {
  for (int row = 0; row < count(); ++row) {
    const bool is_title = !item(row)->data(kPageRole).isValid();
    const bool is_grey = item(row)->data(kEmptyRole).toBool();
    item(row)->setForeground(palette().brush(is_title || is_grey ? QPalette::PlaceholderText : QPalette::Text));
  }
}

}  // namespace ampprof::gui
