// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/overview_page.h"

#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTableView>
#include <QTransposeProxyModel>
#include <QVBoxLayout>
#include <utility>

#include "cli/text/shell_text.h"
#include "gui/data/background.h"
#include "gui/delegates/tone_delegate.h"
#include "gui/pages/view_table.h"

namespace ampprof::gui {

OverviewPage::OverviewPage(std::shared_ptr<const ReportFile> file, QWidget* parent)
    : Page(parent), file_(std::move(file)) {
  auto* layout = new QVBoxLayout(this);
  auto* answer = new QWidget(this);
  answer->setMaximumWidth(fontMetrics().averageCharWidth() * 160);  // a line that an eye can follow
  sentences_ = new QVBoxLayout(answer);
  sentences_->setContentsMargins(0, 0, 0, 0);
  sentences_->setSpacing(0);
  sentences_->addWidget(new QLabel("Reading …", this));
  layout->addWidget(answer);

  auto* side_by_side = new QTransposeProxyModel(this);
  side_by_side->setSourceModel(&runs_);
  table_ = makeViewTable(side_by_side, "Runs side by side", this);
  table_->horizontalHeader()->hide();  // the first two rows are the runs' numbers and levels
  layout->addWidget(table_, 1);
}

void OverviewPage::open() {
  if (std::exchange(is_open_, true)) return;
  inBackground(
      this, [file = file_] { return file->overview(); }, [this](Overview&& overview) { show(std::move(overview)); },
      [this](const QString& sentence) { emit failed(sentence); });
}

void OverviewPage::show(Overview overview) {
  while (QLayoutItem* item = sentences_->takeAt(0)) {
    delete item->widget();
    delete item;
  }
  for (const cli::Statement& statement : overview.answer) sentences_->addWidget(lineFor(statement));
  runs_.show(std::move(overview.runs_view));
  table_->resizeColumnsToContents();
  const std::string note = cli::note_of_missing(overview.missing, file_->path().string());
  emit shown(QString::fromStdString(note));
}

QWidget* OverviewPage::lineFor(const cli::Statement& statement) {
  auto* line = new QWidget(this);
  line->setMinimumHeight(fontMetrics().height() + 8);
  auto* layout = new QHBoxLayout(line);
  layout->setContentsMargins(0, 0, 0, 0);
  auto* text = new QLabel(QString::fromStdString(statement.text), line);
  text->setTextFormat(Qt::PlainText);  // a report's text is not to be trusted
  text->setWordWrap(true);
  text->setTextInteractionFlags(Qt::TextSelectableByMouse);
  if (const auto colour = colour_of(statement.tone, palette())) {
    QPalette toned = text->palette();
    toned.setColor(QPalette::WindowText, *colour);
    text->setPalette(toned);
  }
  layout->addWidget(text, 1);
  if (statement.view.empty() || statement.view == "runs") return line;  // the runs are just below
  const QString view = QString::fromUtf8(statement.view.data(), static_cast<int>(statement.view.size()));
  auto* link = new QPushButton("→ " + view, line);
  link->setFlat(true);
  link->setAccessibleName("Evidence in " + view);
  connect(link, &QPushButton::clicked, this, [this, view] { emit viewWanted(view); });
  layout->addWidget(link);
  return line;
}

QString OverviewPage::command() const {
  return QString::fromStdString(cli::shell_text({"ampprof", "show", file_->path().string()}));
}

}  // namespace ampprof::gui
