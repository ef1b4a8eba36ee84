// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/window/command_palette.h"

#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <iterator>
#include <utility>

namespace ampprof::gui {
namespace {

constexpr std::size_t kMostShown = 200;  // maximum number of entries in the list, more than a user scrolls through

bool hasAll(const QString& name, const QStringList& words) {
  return std::ranges::all_of(words, [&](const QString& word) { return name.contains(word, Qt::CaseInsensitive); });
}

}  // namespace

std::vector<Offer> offersOf(const QList<QAction*>& actions) {
  std::vector<Offer> offers;
  for (QAction* action : actions) {
    if (!action->isEnabled() || action->text().isEmpty()) continue;
    offers.push_back(
        {QString(action->text()).remove('&'), action->shortcut().toString(), [action] { action->trigger(); }});
  }
  return offers;
}

CommandPalette::CommandPalette(std::vector<Offer> offers, QWidget* parent)
    : QDialog(parent), offers_(std::move(offers)) {
  setWindowTitle("Find");
  resize(640, 420);
  auto* layout = new QVBoxLayout(this);
  words_ = new QLineEdit(this);
  words_->setPlaceholderText("A page, a call site, a finding or a command");
  words_->setAccessibleName("What to find");
  words_->installEventFilter(this);
  list_ = new QListWidget(this);
  list_->setAccessibleName("Search results");
  list_->setFocusPolicy(Qt::NoFocus);
  list_->setTextElideMode(Qt::ElideMiddle);
  list_->setUniformItemSizes(true);
  said_ = new QLabel(this);
  said_->setTextFormat(Qt::PlainText);
  layout->addWidget(words_);
  layout->addWidget(list_, 1);
  layout->addWidget(said_);
  connect(words_, &QLineEdit::textChanged, this, &CommandPalette::offer);
  connect(list_, &QListWidget::itemClicked, this, [this] { take(false); });
  offer();
}

void CommandPalette::add(std::vector<Offer> offers) {
  std::ranges::move(offers, std::back_inserter(offers_));
  const int row = list_->currentRow();
  offer();
  list_->setCurrentRow(std::max(row, 0));
}

void CommandPalette::say(const QString& sentence) { said_->setText(sentence); }

void CommandPalette::offer() {
  list_->clear();
  const QString typed = words_->text().trimmed();
  std::vector<std::size_t> found;
  for (std::size_t place = 0; place < offers_.size(); ++place) {
    if (hasAll(offers_[place].name, typed.split(' ', Qt::SkipEmptyParts))) found.push_back(place);
  }
  std::ranges::stable_partition(
      found, [&](std::size_t place) { return offers_[place].name.startsWith(typed, Qt::CaseInsensitive); });
  for (std::size_t i = 0; i < std::min(found.size(), kMostShown); ++i) {
    const Offer& offered = offers_[found[i]];
    auto* item =
        new QListWidgetItem(offered.note.isEmpty() ? offered.name : offered.name + "    " + offered.note, list_);
    item->setData(Qt::UserRole, static_cast<qulonglong>(found[i]));
  }
  list_->setCurrentRow(0);
}

void CommandPalette::take(bool is_aside) {
  const QListWidgetItem* current = list_->currentItem();
  if (current == nullptr) return;
  const Offer chosen = offers_[current->data(Qt::UserRole).toULongLong()];
  accept();
  is_aside&& chosen.choose_aside ? chosen.choose_aside() : chosen.choose();
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::KeyPress) return QDialog::eventFilter(watched, event);
  const auto* pressed = static_cast<QKeyEvent*>(event);
  const int by = pressed->key() == Qt::Key_Down ? 1 : pressed->key() == Qt::Key_Up ? -1 : 0;
  if (by != 0) {
    list_->setCurrentRow(std::clamp(list_->currentRow() + by, 0, std::max(list_->count() - 1, 0)));
    return true;
  }
  if (pressed->key() == Qt::Key_Return || pressed->key() == Qt::Key_Enter) {
    take(pressed->modifiers().testFlag(Qt::ControlModifier));
    return true;
  }
  return QDialog::eventFilter(watched, event);
}

}  // namespace ampprof::gui
