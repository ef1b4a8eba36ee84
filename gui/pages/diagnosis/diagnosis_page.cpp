// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/diagnosis/diagnosis_page.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QVBoxLayout>
#include <utility>

#include "gui/data/diagnosis.h"
#include "gui/data/overview.h"
#include "gui/data/view_request.h"
#include "gui/look/look.h"
#include "gui/pages/diagnosis/finding_card.h"
#include "gui/pages/diagnosis/remedy_dialog.h"
#include "gui/pages/shared/sentence_label.h"
#include "reports/text/shell_text.h"
#include "views/table/format.h"

namespace ampprof::gui {

struct DiagnosisPage::Content {
  std::vector<DiagnosedFinding> findings;
  std::vector<views::Sentence> answer;  ///< shown if there are no findings
};

DiagnosisPage::DiagnosisPage(std::shared_ptr<const ReportFile> file, QWidget* parent) : Page(std::move(file), parent) {
  auto* inside = new QWidget;
  inside->setMaximumWidth(fontMetrics().averageCharWidth() * 160);  // limits lines to a readable length
  cards_ = new QVBoxLayout(inside);
  cards_->addWidget(new QLabel(kReading));
  cards_->addStretch();
  area_ = new QScrollArea(this);
  area_->setAccessibleName("Findings");
  area_->setWidgetResizable(true);
  area_->setFrameShape(QFrame::NoFrame);
  area_->setWidget(inside);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(area_);
}

void DiagnosisPage::renewed() {
  if (readsAgain(is_open_)) read();
}

void DiagnosisPage::open() {
  if (!std::exchange(is_open_, true)) read();
}

void DiagnosisPage::read() {
  readInBackground(
      [file = report()] {
        Content content{.findings = file->diagnosis(), .answer = {}};
        if (content.findings.empty()) content.answer = file->overview().answer;
        return content;
      },
      [this](Content&& content) { display(content); }, [this](const QString& sentence) { emit failed(sentence); });
}

void DiagnosisPage::display(const Content& content) {
  const int place = area_->verticalScrollBar()->value();
  while (QLayoutItem* item = cards_->takeAt(0)) {
    delete item->widget();
    delete item;
  }
  if (content.findings.empty()) cards_->addWidget(makeAllClear());
  for (const views::Sentence& sentence : content.answer) cards_->addWidget(makeSentence(sentence, this));
  for (const DiagnosedFinding& diagnosed : content.findings) {
    auto* card = new FindingCard(diagnosed);
    connect(card, &FindingCard::confirmWanted, this,
            [this](const QString& remedy) { openRemedyDialog(*report(), remedy, this, [this] { read(); }); });
    connect(card, &FindingCard::evidenceWanted, this, [this](const QString& view, const QString& call_site) {
      choose(call_site);
      emit viewWanted(view);
    });
    cards_->addWidget(card);
  }
  cards_->addStretch();
  cards_->activate();
  area_->verticalScrollBar()->setValue(place);
  showWanted();
  emit shown();
}

QWidget* DiagnosisPage::makeAllClear() {
  auto* row = new QWidget;
  auto* layout = new QHBoxLayout(row);
  layout->setContentsMargins({});
  auto* said = new QLabel("Nothing is known to be wrong. What was measured:");
  said->setFont(scaled(said->font(), TextSize::Heading));
  auto* link = new QPushButton("→ Overview");
  link->setFlat(true);
  link->setAccessibleName("Show the overview");
  connect(link, &QPushButton::clicked, this, [this] { emit viewWanted("runs"); });
  layout->addWidget(said);
  layout->addWidget(link);
  layout->addStretch();
  return row;
}

void DiagnosisPage::showFinding(std::size_t place) {
  wanted_ = place;
  showWanted();
}

void DiagnosisPage::showWanted() {
  const QList<FindingCard*> cards = findChildren<FindingCard*>();
  if (!wanted_ || cards.size() <= static_cast<qsizetype>(*wanted_)) return;
  FindingCard* card = cards[static_cast<qsizetype>(*std::exchange(wanted_, std::nullopt))];
  cards_->activate();  // computes the position of the card, which ensureWidgetVisible() needs
  area_->ensureWidgetVisible(card);
  card->setFocus();
}

std::optional<std::string> DiagnosisPage::csv() const {
  return formatted(report()->view({.name = "findings"}), views::Format::Csv, {});
}

QString DiagnosisPage::command() const {
  return QString::fromStdString(text::shell_text({"ampprof", "show", report()->path().string(), "findings"}));
}

}  // namespace ampprof::gui
