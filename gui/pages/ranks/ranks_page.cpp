// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/ranks/ranks_page.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QItemSelectionModel>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "gui/models/rank_rows.h"
#include "gui/pages/raw/view_table.h"
#include "gui/pages/shared/page_titles.h"
#include "gui/pages/shared/sentence_label.h"

namespace ampprof::gui {
namespace {

constexpr std::size_t kMostSentences = 8;  // enough for two launches with four sentences each
constexpr int kPatternWidth = 44;          // minimum width of the field for the pattern, in characters
constexpr int kBytesOfCharacter = 4;       // maximum number of bytes of a character in UTF-8

constexpr const char* kTimeline = "timeline";
constexpr const char* kEvents = "events";

}  // namespace

RanksPage::RanksPage(std::shared_ptr<const ReportFile> file, QWidget* parent)
    : TablePage(std::move(file), "ranks", parent), sentences_(new QWidget(this)) {
  runBox()->hide();  // each row is a run, so the page needs no field to select one
  setBars({"ms_per_step", "collective_ms"});
  auto* said = new QVBoxLayout(sentences_);
  said->setContentsMargins({});
  sentences_->hide();
  static_cast<QVBoxLayout*>(layout())->insertWidget(0, sentences_);
  fillBar();
  connect(table(), &QTableView::activated, this, [this] { leadTo(kTimeline); });
  connect(table()->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &RanksPage::offerPages);
}

void RanksPage::fillBar() {
  pattern_ = makePatternField("rank, host or op", bar());
  pattern_->setMinimumWidth(fontMetrics().averageCharWidth() * kPatternWidth);
  pattern_->setMaxLength(static_cast<int>(analysis::Pattern::kLongest) / kBytesOfCharacter);
  only_ = new QCheckBox("Only ranks that &stand out", bar());
  only_->setAccessibleName("Only ranks that stand out");
  connect(pattern_, &QLineEdit::textChanged, this, &RanksPage::filterRanks);
  connect(only_, &QCheckBox::toggled, this, &RanksPage::filterRanks);
  const auto link = [this](const char* view, const QString& tip) {
    auto* button = new QPushButton("→ " + pageTitle(view), bar());
    button->setFlat(true);
    button->setToolTip(tip);
    connect(button, &QPushButton::clicked, this, [this, view] { leadTo(view); });
    return button;
  };
  to_timeline_ = link(
      kTimeline, "Shows the rank's timeline at the step in which it stands out (press Enter or double-click the row)");
  to_overflow_ = link(kEvents, "Shows the rank's overflows and selects the first one");
  auto* row = static_cast<QHBoxLayout*>(bar()->layout());
  row->insertWidget(0, pattern_);
  row->insertWidget(1, only_);
  row->addWidget(to_overflow_);  // at the right end, after the stretch
  row->addWidget(to_timeline_);
  offerPages();
}

QWidget* RanksPage::filterField() { return pattern_; }

void RanksPage::arrange(views::View& view) const { putMarksFirst(view); }

void RanksPage::rowsCame() {
  saySentences();
  offerPages();
}

void RanksPage::saySentences() {
  qDeleteAll(sentences_->findChildren<QLabel*>(Qt::FindDirectChildrenOnly));
  const std::vector<views::Sentence>& said = model().view().said;
  const std::size_t shown = std::min(said.size(), kMostSentences);
  for (std::size_t i = 0; i < shown; ++i) sentences_->layout()->addWidget(makeSentence(said[i], sentences_));
  if (shown < said.size()) {
    const std::string more = "And " + std::to_string(said.size() - shown) + " more, which the command below prints.";
    sentences_->layout()->addWidget(makeSentence({.text = more, .tone = text::Tone::Faint}, sentences_));
  }
  sentences_->setVisible(!said.empty());
}

void RanksPage::filterRanks() {
  try {
    const RankFilter wanted{
        .pattern = pattern_->text().isEmpty() ? analysis::Pattern() : analysis::Pattern(pattern_->text().toStdString()),
        .only_standing_out = only_->isChecked()};
    seen().keep([this, wanted](const views::Record& record) { return wanted.letsThrough(model().view(), record); });
    wrong_.clear();
  } catch (const analysis::Pattern::Error& error) {  // the rows stay as they are
    wrong_ = QString("'%1' is not a regular expression: %2.").arg(pattern_->text(), QString::fromUtf8(error.what()));
  }
  saySomething();
}

QString RanksPage::note() const {
  if (!wrong_.isEmpty()) return wrong_;
  if (model().rowCount() > 0 && seen().rowCount() == model().rowCount()) return {};  // the sentences are in sentences_
  return TablePage::note();
}

void RanksPage::leadTo(const QString& view) {
  const QModelIndex current = table()->currentIndex();
  if (!current.isValid()) return;
  emit placeWanted(view, placeOf(model().view(), model().record(seen().mapToSource(current).row())));
}

// Enables links only for a selected row: a table that gets the focus has a current row that the user did not choose.
void RanksPage::offerPages() {
  const QModelIndex current = table()->currentIndex();
  const bool is_chosen = current.isValid() && table()->selectionModel()->isSelected(current);
  to_timeline_->setEnabled(is_chosen);
  to_overflow_->setEnabled(is_chosen && sawOverflow(model().view(), model().record(seen().mapToSource(current).row())));
}

}  // namespace ampprof::gui
