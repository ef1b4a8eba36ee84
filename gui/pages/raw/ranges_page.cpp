// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/raw/ranges_page.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QRadioButton>
#include <QSignalBlocker>
#include <QSlider>
#include <QSpinBox>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "gui/data/view_request.h"
#include "gui/delegates/exponent_delegate.h"
#include "gui/delegates/exponent_header.h"
#include "gui/pages/shared/text.h"

namespace ampprof::gui {
namespace {

constexpr int kSliderRest = 150;  // ms after a move of the slider before rows are read
constexpr int kShortestSlider = 60;
constexpr int kLongestSlider = 320;
constexpr int kScaleWidth = 96;

int asInt(std::int64_t step) { return static_cast<int>(std::clamp<std::int64_t>(step, -1, 1 << 30)); }

/// Keys of the columns that are shown next to the heat map.
constexpr const char* kBeside[] = {"level", "call_site", "call_sites", "headroom_log2"};

/// Tells whether there are rows, but none has exponents.
bool is_without_exponents(const views::View& view) {
  const auto has_exponents = [&](const views::Record& record) {
    return std::holds_alternative<views::Json>(views::value_at(view, record, "exponents"));
  };
  return !view.records.empty() && std::ranges::none_of(view.records, has_exponents);
}

QWidget* row_of(std::initializer_list<QWidget*> widgets) {
  auto* row = new QWidget;
  auto* layout = new QHBoxLayout(row);
  layout->setContentsMargins({});
  for (QWidget* widget : widgets) layout->addWidget(widget);
  return row;
}

}  // namespace

RangesPage::RangesPage(std::shared_ptr<const ReportFile> file, QWidget* parent)
    : TablePage(std::move(file), "ranges", parent),
      delegate_(new ExponentDelegate(this)),
      header_(new ExponentHeader(table())) {
  table()->setItemDelegate(delegate_);
  setHeader(header_);
  soon_.setSingleShot(true);
  soon_.setInterval(kSliderRest);
  connect(&soon_, &QTimer::timeout, this, &RangesPage::read);
  QWidget* bar = row_of({makeLook(), makeOrder(), makeSteps(), makeFormats()});
  auto* bar_layout = static_cast<QHBoxLayout*>(bar->layout());
  bar_layout->setSpacing(2 * bar_layout->spacing());
  bar_layout->addStretch();
  static_cast<QVBoxLayout*>(layout())->insertWidget(1, bar);
  setDetailed(false);
  limitSteps();
  showFormats();
}

QWidget* RangesPage::makeLook() {
  auto* heat = new QRadioButton("&Heat map");
  auto* plain = new QRadioButton("Ta&ble");
  heat->setChecked(true);
  connect(heat, &QRadioButton::toggled, this, [this](bool is_on) {
    is_heat_map_ = is_on;
    setDetailed(!is_on);
    showLook();
  });
  return row_of({heat, plain});
}

QWidget* RangesPage::makeOrder() {
  order_ = new QComboBox;
  order_->setAccessibleName("Order");
  order_->addItems({"least headroom first", "in program order"});
  connect(order_, &QComboBox::currentIndexChanged, this, [this] {
    header_->setSortIndicator(-1, Qt::AscendingOrder);
    read();
  });
  return order_;
}

QWidget* RangesPage::makeSteps() {
  slider_ = new QSlider(Qt::Horizontal);
  slider_->setAccessibleName("Step; the left end shows all steps");
  slider_->setMinimumWidth(kShortestSlider);
  slider_->setMaximumWidth(kLongestSlider);
  step_ = new QSpinBox;
  step_->setAccessibleName("Step");
  step_->setPrefix("step ");
  step_->setKeyboardTracking(false);
  step_->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
  connect(slider_, &QSlider::valueChanged, step_, &QSpinBox::setValue);
  connect(step_, &QSpinBox::valueChanged, slider_, &QSlider::setValue);
  connect(step_, &QSpinBox::valueChanged, &soon_, qOverload<>(&QTimer::start));
  QWidget* row = row_of({slider_, step_});
  // Keeps the row no wider than its slider and its field.
  row->setMaximumWidth(kLongestSlider + row->layout()->spacing() + step_->sizeHint().width());
  return row;
}

QWidget* RangesPage::makeFormats() {
  formats_ = row_of({});
  for (std::size_t format = 0; format < kFormats.size(); ++format) {
    auto* box = new QCheckBox(QString::fromUtf8(kFormats[format].name));
    box->setToolTip(
        QString("Outlines the range of %1: solid for normal numbers, dashed for subnormal numbers").arg(box->text()));
    box->setChecked(format == 0);
    connect(box, &QCheckBox::toggled, this, &RangesPage::showFormats);
    formats_->layout()->addWidget(box);
  }
  auto* scale = new QLabel;
  scale->setPixmap(heatScale({kScaleWidth, fontMetrics().ascent()}));
  scale->setAccessibleName("Colours of shares");
  for (QWidget* part : std::initializer_list<QWidget*>{new QLabel("10⁻⁶"), scale, new QLabel("all values")}) {
    formats_->layout()->addWidget(part);
  }
  return formats_;
}

void RangesPage::stepsChanged() {
  limitSteps();
  const QSignalBlocker silent(step_);
  slider_->setValue(slider_->minimum());
}

ViewRequest RangesPage::request() const {
  ViewRequest request = TablePage::request();
  if (step_->value() > step_->minimum()) request.steps = queries::StepSpan{step_->value(), step_->value()};
  request.in_program_order = order_->currentIndex() == 1;
  return request;
}

void RangesPage::limitSteps() {
  std::int64_t last = mostSteps(*report(), request().run);
  const std::int64_t before = steps() ? steps()->first - 1 : 0;
  if (steps()) last = std::min(last, steps()->last);
  const QSignalBlocker silent(step_);
  slider_->setRange(asInt(before), asInt(std::max(last, before)));
  step_->setRange(slider_->minimum(), slider_->maximum());
  step_->setSpecialValueText(steps() ? stepsText(*steps()) : "all steps");
}

void RangesPage::rowsCame() {
  limitSteps();
  showLook();
  saySomething();
}

QString RangesPage::note() const {
  if (const auto steps = request().steps; steps && model().rowCount() == 0) {
    return QString("No op call was recorded in %1. Choose the steps to record with --steps and --every of ampprof run.")
        .arg(stepsText(*steps));
  }
  if (is_without_exponents(model().view())) {
    return QString(
        "No exponents were recorded: the run was made with --reference off, which records shapes and times only. "
        "Record exponents with ampprof run --reference fp32.");
  }
  return TablePage::note();
}

void RangesPage::showLook() {
  const bool is_heat_map = is_heat_map_ && !is_without_exponents(model().view());
  std::optional<int> axis;
  const auto& columns = model().view().columns;
  for (int place = 0; place < static_cast<int>(columns.size()); ++place) {
    const views::Column& column = columns[static_cast<std::size_t>(place)];
    const bool is_beside = column.drawing || std::ranges::find(kBeside, column.key) != std::end(kBeside);
    table()->setColumnHidden(place, is_heat_map && !is_beside);
    const bool is_axis = is_heat_map && column.drawing;
    header_->setSectionResizeMode(place, is_axis ? QHeaderView::Stretch : QHeaderView::Interactive);
    if (is_axis) axis = place;
  }
  delegate_->setHeatMap(is_heat_map);
  header_->setAxisSection(axis);
  formats_->setVisible(is_heat_map);
  table()->viewport()->update();
}

void RangesPage::showFormats() {
  Formats formats;
  const auto boxes = formats_->findChildren<QCheckBox*>();
  for (qsizetype place = 0; place < boxes.size(); ++place)
    formats[static_cast<std::size_t>(place)] = boxes[place]->isChecked();
  delegate_->setFormats(formats);
  header_->setFormats(formats);
  table()->viewport()->update();
}

}  // namespace ampprof::gui
