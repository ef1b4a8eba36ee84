// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/time/timeline_page.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "gui/models/plain_tip.h"
#include "gui/models/timeline_text.h"
#include "gui/pages/shared/run_box.h"
#include "gui/pages/shared/text.h"
#include "gui/pages/time/timeline_legend.h"
#include "reports/queries/report.h"
#include "reports/queries/spans.h"
#include "reports/records/op_total.h"
#include "reports/records/time_span.h"
#include "reports/text/shell_text.h"
#include "views/runs/run_choice.h"

namespace ampprof::gui {
namespace {

// Maximum number of calls in a picture; for more calls, a picture has summaries instead.
constexpr std::int64_t kMostCalls = 100'000;
constexpr std::int64_t kMostNamed = 400'000;     // maximum number of calls in a measured span for totals by call site
constexpr std::int64_t kMostSearched = 300'000;  // number of calls that are searched for the next call of a call site
constexpr int kDelayMs = 40;                     // ms to wait before reading; combines the events of a quick wheel turn

const QString kMeasuring = "Measuring …";
const QString kHint =
    "W S zoom · A D pan · drag or M measures · click or ← → choose · F focuses · Home shows the whole run";

TimeSpan widened(const TimeSpan& visible, const TimeSpan& whole) {
  const std::int64_t length = visible.to_ns - visible.from_ns;
  return {visible.from_ns - whole.from_ns > length ? visible.from_ns - length : whole.from_ns,
          whole.to_ns - visible.to_ns > length ? visible.to_ns + length : whole.to_ns};
}

}  // namespace

TimelinePage::TimelinePage(std::shared_ptr<const ReportFile> file, QWidget* parent) : Page(std::move(file), parent) {
  canvas_ = new TimelineCanvas;
  auto* scrolled = new QScrollArea;
  scrolled->setWidgetResizable(true);
  scrolled->setFrameShape(QFrame::NoFrame);
  scrolled->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scrolled->setFocusPolicy(Qt::NoFocus);
  scrolled->setWidget(canvas_);
  nothing_ = new QLabel(kReading);
  nothing_->setTextFormat(Qt::PlainText);
  nothing_->setWordWrap(true);
  nothing_->setAlignment(Qt::AlignCenter);
  stack_ = new QStackedWidget;
  stack_->addWidget(nothing_);
  stack_->addWidget(scrolled);
  auto* layout = new QVBoxLayout(this);
  layout->addWidget(makeBar());
  layout->addWidget(stack_, 1);
  layout->addWidget(makeLine());

  soon_.setSingleShot(true);
  soon_.setInterval(kDelayMs);
  connect(&soon_, &QTimer::timeout, this, &TimelinePage::readPicture);
  connect(canvas_, &TimelineCanvas::viewChanged, this, [this] {
    if (!soon_.isActive()) soon_.start();
  });
  connect(canvas_, &TimelineCanvas::chosen, this, &TimelinePage::itemChosen);
  connect(canvas_, &TimelineCanvas::measured, this, &TimelinePage::measure);
  connect(canvas_, &TimelineCanvas::measureCleared, this, [this] {
    ++measured_;
    to_steps_->hide();
    line_->setText(kHint);
  });
  connect(canvas_, &TimelineCanvas::measuredTaken, this, [this] {
    if (!to_steps_->isHidden()) emit stepsWanted(offered_);
  });
  connect(canvas_, &TimelineCanvas::focusWanted, this, &TimelinePage::focus);
  connect(canvas_, &TimelineCanvas::noted, line_, &QLabel::setText);
}

QWidget* TimelinePage::makeBar() {
  auto* bar = new QWidget;
  auto* layout = new QHBoxLayout(bar);
  layout->setContentsMargins(0, 0, 0, 0);
  run_ = makeRunBox(*report(), bar);
  connect(run_, &QComboBox::currentIndexChanged, this, &TimelinePage::readRun);
  layout->addWidget(run_);
  run_->setVisible(run_->count() > 0);
  auto* whole = new QToolButton(bar);
  whole->setText("Whole run (Home)");
  whole->setToolTip("Also shows the time before the first and after the last recorded step");
  whole->setVisible(run_->count() > 0);
  connect(whole, &QToolButton::clicked, this, [this] {
    if (canvas_->run() != nullptr) canvas_->focus(canvas_->run()->whole);
  });
  layout->addWidget(whole);
  layout->addStretch();
  auto* legends = new QVBoxLayout;
  legends->setSpacing(0);
  of_streams_ = new TimelineLegend(queries::TrackKind::Streams, bar);
  of_streams_->hide();
  auto* of_threads = new TimelineLegend(queries::TrackKind::Threads, bar);
  of_threads->setVisible(run_->count() > 0);
  legends->addWidget(of_threads);
  legends->addWidget(of_streams_);
  layout->addLayout(legends);
  return bar;
}

QWidget* TimelinePage::makeLine() {
  auto* row = new QWidget;
  auto* layout = new QHBoxLayout(row);
  layout->setContentsMargins(0, 0, 0, 0);
  line_ = new QLabel(report()->runs().empty() ? QString() : kHint);
  line_->setTextFormat(Qt::PlainText);
  line_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  line_->setToolTip(kHint);  // shows the full text if a narrow window truncates it
  line_->setAccessibleName("Measured");
  line_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);  // a long line must not widen the window
  // offerSteps() adds the steps of the measured span to the text.
  to_steps_ = new QPushButton("Filter other pages");
  to_steps_->setToolTip("Limits other pages to the measured steps, as ampprof show --steps does (Enter).");
  to_steps_->hide();
  connect(to_steps_, &QPushButton::clicked, this, [this] { emit stepsWanted(offered_); });
  layout->addWidget(line_, 1);
  layout->addWidget(to_steps_);
  return row;
}

void TimelinePage::open() {
  if (std::exchange(is_open_, true)) return;
  readRun();
}

std::int64_t TimelinePage::runId() const { return run_->currentData().toLongLong(); }

QString TimelinePage::command() const {
  const std::filesystem::path& path = report()->path();
  std::vector<std::string> words{"ampprof", "export", path.string(), "--to", "perfetto"};
  if (run_->count() > 0) words.insert(words.end(), {"--run", std::to_string(runId())});
  words.insert(words.end(), {"-o", path.stem().string() + ".json"});
  return QString::fromStdString(text::shell_text(words));
}

void TimelinePage::readRun() {
  if (!is_open_) return;
  emit commandChanged();
  if (run_->count() == 0) return nothing_->setText("This report holds no run. Record one: ampprof run -- PROGRAM");
  const int asked = ++asked_;
  readInBackground([file = report(), run = runId()] { return file->timelineRun(run); },
                   [this, asked](std::shared_ptr<const TimelineRun>&& run) {
                     if (asked == asked_) showRun(std::move(run));
                   },
                   [this, asked](const QString& sentence) {
                     if (asked != asked_) return;
                     nothing_->setText(sentence);
                     stack_->setCurrentIndex(0);
                     emit failed(sentence);
                   });
}

void TimelinePage::showRun(std::shared_ptr<const TimelineRun> run) {
  const bool is_empty = run->tracks.empty();
  of_streams_->setVisible(run->has(queries::TrackKind::Streams));
  if (is_empty) {
    nothing_->setText(
        "No op call was recorded in this run. Record it again with ampprof run -- PROGRAM, and do not exclude all "
        "steps with --steps or --every.");
  }
  canvas_->clearMeasured();
  ++measured_;
  line_->setText(is_empty ? QString() : kHint);
  stack_->setCurrentIndex(is_empty ? 0 : 1);
  canvas_->showRun(std::move(run));
  showSelection();
  focusWanted();
  if (!is_empty) offerFocus(canvas_);  // so that the keys work at once
  if (is_empty) emit shown();
}

bool TimelinePage::needsPicture() const {
  const TimelineScene& scene = canvas_->scene();
  if (!scene.run || scene.tracks().empty()) return false;
  if (!scene.picture) return true;
  const TimeSpan visible = scene.view.visible();
  const TimeSpan& read = scene.picture->span;
  if (visible.from_ns < read.from_ns || visible.to_ns > read.to_ns) return true;
  // Reads again when the visible span is much shorter than the picture: the picture's summary is then too coarse, or
  // single calls can replace it.
  const auto length = [](const TimeSpan& span) { return static_cast<double>(span.to_ns - span.from_ns); };
  return !scene.picture->isExact() && length(widened(visible, scene.run->whole)) < 0.8 * length(read);
}

bool TimelinePage::isFilled() const { return canvas_->run() != nullptr && !is_reading_ && !needsPicture(); }

void TimelinePage::cancelled() {
  is_reading_ = false;
  ++measured_;
  if (line_->text() == kMeasuring) line_->setText(kHint);
}

void TimelinePage::readPicture() {
  if (is_reading_ || !needsPicture()) return;  // the end of the current reading calls this function again
  is_reading_ = true;
  const TimelineScene& scene = canvas_->scene();
  const TimeSpan wanted = widened(scene.view.visible(), scene.run->whole);
  const auto bins = static_cast<int>(3 * scene.view.width());
  readInBackground([file = report(), run = scene.run, wanted,
                    bins] { return file->timelinePicture(*run, wanted, bins, kMostCalls); },
                   [this, run = scene.run](std::shared_ptr<const TimelinePicture>&& picture) {
                     is_reading_ = false;
                     if (run.get() == canvas_->run()) canvas_->showPicture(std::move(picture));
                     if (needsPicture()) soon_.start();
                     emit shown();
                   },
                   [this](const QString& sentence) {
                     is_reading_ = false;
                     emit failed(sentence);
                   });
}

void TimelinePage::measure(const TimeSpan& span) {
  const int asked = ++measured_;
  line_->setText(kMeasuring);
  offerSteps(span);
  readInBackground([file = report(), run = runId(), span] { return file->measured(run, span, kMostNamed); },
                   [this, asked](Measured&& measured) {
                     if (asked != measured_) return;
                     line_->setText(textOf(measured, *canvas_->run()));
                     line_->setToolTip(line_->text().replace(" · ", "\n"));
                   },
                   [this](const QString& sentence) { emit failed(sentence); });
}

void TimelinePage::offerSteps(const TimeSpan& span) {
  const auto steps = stepsIn(span, canvas_->run()->segments);
  to_steps_->setVisible(steps.has_value());
  if (!steps) return;
  offered_ = *steps;
  to_steps_->setText("Filter other pages: " + stepsText(offered_));
}

void TimelinePage::showSteps(const std::optional<queries::StepSpan>& steps) {
  if (!steps) canvas_->clearMeasured();
}

void TimelinePage::showPlace(const RunPlace& place) {
  const int item = run_->findData(static_cast<qlonglong>(place.run));
  if (item < 0) return;
  wanted_ = place;
  if (item != run_->currentIndex()) return run_->setCurrentIndex(item);  // starts reading
  if (canvas_->run() != nullptr && canvas_->run()->run == place.run) focusWanted();
}

void TimelinePage::focusWanted() {
  const auto wanted = std::exchange(wanted_, std::nullopt);
  if (!wanted || !wanted->step || wanted->run != canvas_->run()->run || canvas_->run()->tracks.empty()) return;
  const QString step = stepsText({*wanted->step, *wanted->step});
  const auto span = spanOf(*wanted->step, canvas_->run()->segments);
  if (!span) return line_->setText("No time was recorded for " + step + " in this run.");
  canvas_->focus(*span);
  line_->setText("Here is " + step + ".");
}

void TimelinePage::focus() {
  const TimelineScene& scene = canvas_->scene();
  if (scene.measured) return canvas_->focus(*scene.measured);
  if (scene.selected.empty() && !scene.current) return canvas_->focus(scene.run->whole);
  // If the view is already focused on the current call, goes to the next call.
  const bool is_again = scene.current && scene.view.visible().to_ns - scene.view.visible().from_ns <
                                             2 * (scene.current->end_ns - scene.current->start_ns) + 2'000;
  if (scene.current && !is_again) return canvas_->focus({scene.current->start_ns, scene.current->end_ns});
  const std::int64_t from = scene.current ? scene.current->start_ns + 1 : scene.view.visible().from_ns;
  const std::vector<SiteInStep> places(scene.selected.begin(), scene.selected.end());
  readInBackground(
      [file = report(), run = runId(), places, from] { return nextCall(*file, run, places, from, kMostSearched); },
      [this, asked = asked_](std::optional<queries::SpanCall>&& call) {
        if (asked != asked_) return;
        if (!call) return line_->setText("No call of the selected call site was found nearby.");
        const TimelineItem item = itemOf(*call, *canvas_->run());
        canvas_->setCurrent(item);
        canvas_->focus({item.start_ns, item.end_ns});
        line_->setText(textOf(item, *canvas_->run()).replace('\n', " · "));
      },
      [this](const QString& sentence) { emit failed(sentence); });
}

void TimelinePage::itemChosen(const TimelineItem& item) {
  ++measured_;
  const QString text = textOf(item, *canvas_->run());
  line_->setText(QString(text).replace('\n', " · "));
  line_->setToolTip(plainTip(text));
  choose(callSiteOf(item.place, *canvas_->run()));
}

std::set<SiteInStep> TimelinePage::selectedPlaces() const {
  std::set<SiteInStep> places;
  const std::string name = selection().toStdString();
  if (name.empty()) return places;
  for (const auto& [place, its_name] : canvas_->run()->texts.names) {
    if (its_name == name) places.insert(place);
  }
  return places;
}

void TimelinePage::showSelection() {
  if (canvas_->run() == nullptr) return;
  canvas_->clearMeasured();
  canvas_->select(selectedPlaces());
  if (selection().isEmpty() && !canvas_->run()->tracks.empty()) line_->setText(kHint);
}

}  // namespace ampprof::gui
