// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/diagnosis/finding_card.h"

#include <QApplication>
#include <QClipboard>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "gui/data/diagnosis.h"
#include "gui/look/look.h"
#include "gui/pages/diagnosis/loss_strip.h"
#include "gui/pages/diagnosis/values_strip.h"
#include "gui/pages/shared/labels.h"
#include "gui/pages/shared/page_titles.h"
#include "gui/pages/shared/sentence_label.h"
#include "gui/pages/shared/source_link.h"
#include "gui/pages/shared/text.h"
#include "reports/text/numbers.h"
#include "views/diagnosis/findings.h"
#include "views/table/sentence.h"

namespace ampprof::gui {
namespace {

QLabel* boldLabel(const QString& words) {
  auto* label = wrappedLabel(words);
  label->setFont(scaled(label->font(), TextSize::Heading));
  return label;
}

views::Sentence outcomeOf(const analysis::Remedy& remedy) {
  if (*remedy.helped) return {"✔ Confirmed. " + remedy.outcome, text::Tone::Good};
  return {"✘ Did not help. " + remedy.outcome, text::Tone::Attention};
}

/// Returns "O1: spoils 53% of the run, certain". The cost of a finding in several runs is its cost in the worst run.
std::string costOf(const DiagnosedFinding& diagnosed) {
  const analysis::Finding& finding = diagnosed.finding;
  const std::string cost = text::percent(finding.cost);
  return (diagnosed.runs.empty() ? "" : diagnosed.runs + ": ") +
         (finding.runs.size() > 1 ? "spoils up to " + cost + " of a run" : "spoils " + cost + " of the run") + ", " +
         std::string(name_of(finding.confidence));
}

}  // namespace

FindingCard::FindingCard(const DiagnosedFinding& diagnosed, QWidget* parent)
    : QFrame(parent), layout_(new QVBoxLayout(this)) {
  const analysis::Finding& finding = diagnosed.finding;
  setFrameStyle(QFrame::StyledPanel | QFrame::Plain);
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName("Finding " + text(finding.kind));
  addHead(diagnosed);
  addChain(finding);
  layout_->addWidget(wrappedLabel(text(finding.mechanism)));
  layout_->addWidget(wrappedLabel(text(finding.consequence)));
  if (diagnosed.values) layout_->addWidget(new ValuesStrip(*diagnosed.values, this));
  if (diagnosed.losses.size() > 1) layout_->addWidget(new LossStrip(diagnosed.losses, this));
  for (const analysis::Remedy& remedy : finding.remedies) addRemedy(remedy);
  addLinks(finding);
}

void FindingCard::focusInEvent(QFocusEvent* event) {
  QFrame::focusInEvent(event);
  setFrameStyle(QFrame::Box | QFrame::Plain);  // shows which card has the focus
}

void FindingCard::focusOutEvent(QFocusEvent* event) {
  QFrame::focusOutEvent(event);
  setFrameStyle(QFrame::StyledPanel | QFrame::Plain);
}

void FindingCard::addHead(const DiagnosedFinding& diagnosed) {
  auto* row = new QHBoxLayout;
  row->addWidget(boldLabel(text(diagnosed.title)), 1);
  auto* cost = new QLabel(text(costOf(diagnosed)));
  cost->setTextFormat(Qt::PlainText);
  cost->setToolTip(QString("%1\n%2").arg(views::kAboutCost, views::kAboutConfidence));
  row->addWidget(cost, 0, Qt::AlignTop);
  layout_->addLayout(row);
}

void FindingCard::addChain(const analysis::Finding& finding) {
  std::vector<std::string> chain = finding.chain;
  if (chain.empty() && !finding.culprit.call_site.empty()) chain = {finding.culprit.call_site};
  auto* row = new QHBoxLayout;
  for (const std::string& link : chain) {
    if (row->count() > 0) row->addWidget(new QLabel("→"));
    auto* label = new QLabel(text(link));
    label->setTextFormat(Qt::PlainText);
    label->setFrameShape(QFrame::StyledPanel);
    label->setMargin(4);
    row->addWidget(label);
  }
  row->addStretch();
  layout_->addLayout(row);
}

void FindingCard::addRemedy(const analysis::Remedy& remedy) {
  auto* row = new QHBoxLayout;
  row->addWidget(boldLabel(text(remedy.text)), 1);
  const QString trial = text(remedy.trial());
  if (!trial.isEmpty() && !remedy.helped) {
    auto* confirm = new QPushButton("Confirm…");
    confirm->setAccessibleName("Confirm " + trial);
    confirm->setToolTip("Runs the program again with this remedy: " + trial);
    connect(confirm, &QPushButton::clicked, this, [this, trial] { emit confirmWanted(trial); });
    row->addWidget(confirm, 0, Qt::AlignTop);
  }
  layout_->addLayout(row);
  if (!remedy.code.empty()) addCode(text(remedy.code));
  if (remedy.helped) layout_->addWidget(makeSentence(outcomeOf(remedy), this));
}

void FindingCard::addCode(const QString& code) {
  auto* label = wrappedLabel(code);
  label->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
  auto* copy = new QPushButton("Copy");
  copy->setAccessibleName("Copy " + code);
  connect(copy, &QPushButton::clicked, this, [code] { QApplication::clipboard()->setText(code); });
  auto* row = new QHBoxLayout;
  row->addWidget(label, 1);
  row->addWidget(copy, 0, Qt::AlignTop);
  layout_->addLayout(row);
}

void FindingCard::addLinks(const analysis::Finding& finding) {
  auto* row = new QHBoxLayout;
  auto* source = new SourceLink(this);
  source->showSource(finding.culprit.source);
  row->addWidget(source);
  for (const char* view : {"ops", "events", "losses"}) {
    auto* link = new QPushButton("→ " + pageTitle(view));
    link->setFlat(true);
    connect(link, &QPushButton::clicked, this,
            [this, view, site = text(finding.culprit.call_site)] { emit evidenceWanted(view, site); });
    row->addWidget(link);
  }
  row->addStretch();
  layout_->addLayout(row);
}

}  // namespace ampprof::gui
