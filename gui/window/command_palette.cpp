// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/window/command_palette.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QVBoxLayout>
#include <algorithm>

namespace ampprof::gui {
namespace {

QString name_of(const QAction& action) { return QString(action.text()).remove('&'); }

bool has_all(const QString& name, const QStringList& words) {
  return std::ranges::all_of(words, [&](const QString& word) { return name.contains(word, Qt::CaseInsensitive); });
}

}  // namespace

CommandPalette::CommandPalette(const QList<QAction*>& actions, QWidget* parent) : QDialog(parent) {
  std::ranges::copy_if(actions, std::back_inserter(actions_),
                       [](QAction* action) { return action->isEnabled() && !action->text().isEmpty(); });
  setWindowTitle("Commands");
  resize(480, 360);
  auto* layout = new QVBoxLayout(this);
  words_ = new QLineEdit(this);
  words_->setPlaceholderText("What to do");
  words_->setAccessibleName("What to do");
  words_->installEventFilter(this);
  list_ = new QListWidget(this);
  list_->setAccessibleName("Commands");
  list_->setFocusPolicy(Qt::NoFocus);
  layout->addWidget(words_);
  layout->addWidget(list_, 1);
  connect(words_, &QLineEdit::textChanged, this, &CommandPalette::offer);
  connect(words_, &QLineEdit::returnPressed, this, &CommandPalette::run);
  connect(list_, &QListWidget::itemClicked, this, &CommandPalette::run);
  offer("");
}

void CommandPalette::offer(const QString& words) {
  list_->clear();
  for (qsizetype place = 0; place < actions_.size(); ++place) {
    const QString name = name_of(*actions_[place]);
    if (!has_all(name, words.split(' ', Qt::SkipEmptyParts))) continue;
    const QString keys = actions_[place]->shortcut().toString();
    auto* item = new QListWidgetItem(keys.isEmpty() ? name : name + "    " + keys, list_);
    item->setData(Qt::UserRole, static_cast<int>(place));
  }
  list_->setCurrentRow(0);
}

void CommandPalette::run() {
  const QListWidgetItem* chosen = list_->currentItem();
  if (chosen == nullptr) return;
  QAction* action = actions_[chosen->data(Qt::UserRole).toInt()];
  accept();
  action->trigger();
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::KeyPress) {
    const int key = static_cast<QKeyEvent*>(event)->key();
    const int by = key == Qt::Key_Down ? 1 : key == Qt::Key_Up ? -1 : 0;
    if (by != 0) {
      list_->setCurrentRow(std::clamp(list_->currentRow() + by, 0, std::max(list_->count() - 1, 0)));
      return true;
    }
  }
  return QDialog::eventFilter(watched, event);
}

}  // namespace ampprof::gui
