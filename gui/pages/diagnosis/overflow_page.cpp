// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/diagnosis/overflow_page.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QSignalBlocker>
#include <QSplitter>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <utility>

#include "gui/pages/diagnosis/chain_strip.h"
#include "gui/pages/diagnosis/event_details.h"
#include "gui/pages/raw/view_table.h"
#include "gui/pages/shared/run_box.h"
#include "gui/plots/scale_plot.h"
#include "reports/text/shell_text.h"
#include "views/table/format.h"

namespace ampprof::gui {
namespace {

constexpr const char* kNoScaler =
    "No op made NaN or inf from finite values in this run, and no loss scaler was seen. Levels O1 and O2 have one: "
    "ampprof run --levels O1 -- PROGRAM";

}  // namespace

OverflowPage::OverflowPage(std::shared_ptr<const ReportFile> file, QWidget* parent) : Page(std::move(file), parent) {
  auto* layout = new QVBoxLayout(this);
  layout->addWidget(makeBar());
  QWidget* halves = makeHalves();
  halves->setVisible(!report()->runs().empty());
  layout->addWidget(halves, 1);
  layout->addStretch();  // takes the space if all other widgets are hidden
}

QWidget* OverflowPage::makeBar() {
  auto* bar = new QWidget(this);
  bar->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
  auto* layout = new QHBoxLayout(bar);
  layout->setContentsMargins(0, 0, 0, 0);
  run_ = makeRunBox(*report(), runWithOverflow(*report()), bar);
  connect(run_, &QComboBox::currentIndexChanged, this, &OverflowPage::read);
  note_ = new QLabel(bar);
  note_->setTextFormat(Qt::PlainText);
  note_->setWordWrap(true);
  layout->addWidget(run_);
  run_->setVisible(run_->count() > 0);
  layout->addWidget(note_, 1);
  return bar;
}

QWidget* OverflowPage::makeHalves() {
  scale_ = new ScalePlot(this);
  connect(scale_, &ScalePlot::stepChosen, this, &OverflowPage::chooseNearest);
  events_ = makeViewTable(&model_, "Non-finite events", this);
  events_->verticalHeader()->hide();
  connect(events_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& current) {
    if (current.isValid()) showEvent(current.row());
  });
  details_ = new EventDetails(this);
  connect(details_, &EventDetails::opChosen, this, [this](const QString& call_site) {
    choose(call_site);
    showSelection();
  });
  chain_ = new ChainStrip(this);
  connect(chain_, &ChainStrip::opChosen, this, [this](const QString& call_site) { choose(call_site); });
  shares_ = new SharesPlot(this);
  auto* below = new QSplitter(this);
  for (QWidget* part : std::initializer_list<QWidget*>{events_, details_, shares_}) below->addWidget(part);
  below->setSizes({480, 270, 350});  // sets the ratio of the widths
  auto* halves = new QSplitter(Qt::Vertical, this);
  auto* lower = new QWidget(this);
  auto* event = new QVBoxLayout(lower);
  event->setContentsMargins({});
  event->addWidget(chain_);
  event->addWidget(below, 1);
  halves->addWidget(scale_);
  halves->addWidget(lower);
  halves->setSizes({200, 300});
  return halves;
}

std::int64_t OverflowPage::run() const { return run_->currentData().toLongLong(); }

void OverflowPage::renewed() {
  if (readsAgain(is_open_)) read();
}

void OverflowPage::open() {
  if (std::exchange(is_open_, true)) return;
  read();
}

void OverflowPage::read() {
  if (!is_open_) return;
  emit commandChanged();
  if (run_->count() == 0) return note_->setText("This report holds no run. Record one: ampprof run -- PROGRAM");
  note_->setText(kReading);
  const int asked = ++asked_;
  readInBackground([file = report(), run = run()] { return file->overflow(run); },
                   [this, asked](Overflow&& overflow) {
                     if (asked == asked_) display(std::move(overflow));
                   },
                   [this](const QString& sentence) { emit failed(sentence); });
}

void OverflowPage::display(Overflow overflow) {
  overflow_ = std::move(overflow);
  shown_ = run();
  model_.show(overflow_.events_view);
  fitColumns(events_);
  scale_->draw(overflow_);
  details_->clear();
  for (QWidget* part : std::initializer_list<QWidget*>{events_, details_, chain_}) {
    part->setVisible(!overflow_.events.empty());
  }
  const bool has_scale = !overflow_.scales.empty();
  scale_->setVisible(has_scale);
  note_->setText(!overflow_.events.empty() ? ""
                 : has_scale               ? "No op made NaN or inf from finite values in this run."
                                           : kNoScaler);
  if (!overflow_.events.empty()) {
    const QSignalBlocker nobody_chose(events_->selectionModel());
    events_->setCurrentIndex(model_.index(0, 0));
    showEvent(0);
  } else {
    const auto in_force = has_scale ? std::optional(overflow_.scales.back().update.scale_after) : std::nullopt;
    showShares(0, in_force);
  }
  const auto wanted = std::exchange(wanted_, std::nullopt);
  if (wanted && wanted->run == run() && wanted->step) chooseNearest(static_cast<double>(*wanted->step));
  emit shown();
}

void OverflowPage::showEvent(int row) {
  const queries::EventRow& event = overflow_.events[static_cast<std::size_t>(row)];
  scale_->markStep(event.step);
  chain_->show(chainOf(event));
  chain_->select(selection());
  details_->show(event);
  showShares(event.loss_id, event.scale_before);
}

void OverflowPage::showShares(std::int32_t loss_id, std::optional<double> in_force) {
  const advice::LossScaleAdvice* advice = overflow_.adviceFor(loss_id);
  shares_->setVisible(advice != nullptr);
  if (advice) shares_->draw(*advice, in_force);
}

void OverflowPage::showSelection() { chain_->select(selection()); }

void OverflowPage::chooseNearest(double step) {
  const auto distance = [&](const queries::EventRow& event) {
    return std::abs(static_cast<double>(event.step) - step);
  };
  const auto nearest = std::ranges::min_element(overflow_.events, {}, distance);
  if (nearest == overflow_.events.end()) return;
  events_->setCurrentIndex(model_.index(static_cast<int>(nearest - overflow_.events.begin()), 0));
}

void OverflowPage::showPlace(const RunPlace& place) {
  const int item = run_->findData(static_cast<qlonglong>(place.run));
  if (item < 0) return;
  const bool is_here = shown_ == place.run && item == run_->currentIndex();
  if (is_here && place.step) return chooseNearest(static_cast<double>(*place.step));
  wanted_ = place;
  run_->setCurrentIndex(item);  // starts reading if the page is open
}

std::optional<std::string> OverflowPage::csv() const { return formatted(model_.view(), views::Format::Csv, {}); }

QString OverflowPage::command() const {
  std::vector<std::string> words{"ampprof", "show", report()->path().string(), "events"};
  if (run_->count() > 0) words.insert(words.end(), {"--run", std::to_string(run())});
  return QString::fromStdString(text::shell_text(words));
}

}  // namespace ampprof::gui
