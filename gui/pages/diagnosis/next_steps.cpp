// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/diagnosis/next_steps.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

#include "analysis/diagnosis/finding.h"
#include "gui/look/look.h"
#include "gui/pages/shared/labels.h"
#include "gui/pages/shared/text.h"
#include "reports/text/elide.h"

namespace ampprof::gui {
namespace {

constexpr std::size_t kMostFindings = 3;

QPushButton* makeButton(const QString& words, const QString& accessible_name, const QString& tip) {
  auto* button = new QPushButton(words);
  button->setAccessibleName(accessible_name);
  button->setToolTip(tip);
  return button;
}

}  // namespace

NextSteps::NextSteps(QWidget* parent) : QWidget(parent), rows_(new QVBoxLayout(this)) {
  rows_->setContentsMargins(Space::kSection, 0, 0, 0);
  rows_->setSpacing(Space::kTight);
  auto* title = new QLabel("What to do next");
  title->setFont(scaled(title->font(), TextSize::Heading));
  rows_->addWidget(title);
  rows_->addStretch();
  hide();
}

void NextSteps::show(const std::vector<analysis::Finding>& findings, bool has_advice, bool has_recipes) {
  clear();
  for (std::size_t place = 0; place < std::min(findings.size(), kMostFindings); ++place) {
    if (!findings[place].remedies.empty()) addFinding(findings[place], place);
  }
  if (has_recipes) {
    QPushButton* go = makeButton("Choose in Recipes", "Choose matmuls in Recipes",
                                 "Goes to Recipes, which shows the loss impact of each recipe in each layer");
    connect(go, &QPushButton::clicked, this, &NextSteps::recipesWanted);
    add("See which matmuls to keep in BF16 under each recipe, and the predicted effect.", {go});
  } else if (has_advice) {
    QPushButton* mark = makeButton("Mark them in Decide", "Mark what ampprof advises",
                                   "Goes to Decide and marks the functions that ampprof would keep in FP32");
    connect(mark, &QPushButton::clicked, this, &NextSteps::adviceWanted);
    add("See which functions ampprof would keep in FP32, and the predicted effect.", {mark});
  }
  setVisible(rows_->count() > 2);
}

void NextSteps::clear() { qDeleteAll(findChildren<QFrame*>("step", Qt::FindDirectChildrenOnly)); }

void NextSteps::addFinding(const analysis::Finding& finding, std::size_t place) {
  const analysis::Remedy& remedy = finding.remedies.front();
  const QString trial = gui::text(remedy.trial());
  std::vector<QPushButton*> buttons;
  if (!trial.isEmpty() && !remedy.helped) {
    buttons.push_back(
        makeButton("Confirm…", "Confirm " + trial, "Shows the command that runs the program again with this remedy"));
    connect(buttons.back(), &QPushButton::clicked, this, [this, trial] { emit confirmWanted(trial); });
  }
  buttons.push_back(makeButton("Why?", "Why: " + gui::text(remedy.text), "Shows the finding with its evidence"));
  connect(buttons.back(), &QPushButton::clicked, this, [this, place] { emit findingWanted(place); });
  const std::string place_in_code = text::printable(text::short_source(finding.culprit.source));
  add(gui::text((place_in_code.empty() ? "" : place_in_code + ": ") + remedy.text), buttons);
}

void NextSteps::add(const QString& what, const std::vector<QPushButton*>& buttons) {
  auto* step = new QFrame;
  step->setObjectName("step");
  auto* column = new QVBoxLayout(step);
  column->setContentsMargins(0, 0, 0, Space::kGap);
  column->setSpacing(Space::kTight);
  column->addWidget(wrappedLabel(what));
  auto* row = new QHBoxLayout;
  for (QPushButton* button : buttons) row->addWidget(button);
  row->addStretch();
  column->addLayout(row);
  rows_->insertWidget(rows_->count() - 1, step);
}

}  // namespace ampprof::gui
