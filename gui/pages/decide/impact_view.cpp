// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/decide/impact_view.h"

#include <QLabel>
#include <QVBoxLayout>

#include "gui/models/board_model.h"
#include "gui/models/impact_dots.h"
#include "gui/pages/shared/labels.h"
#include "gui/plots/impact_plot.h"
#include "reports/text/numbers.h"
#include "views/diagnosis/answer.h"

namespace ampprof::gui {
namespace {

constexpr const char* kNoDots =
    "No call site shown here has a loss impact above 0. Record loss impacts with ampprof run --impact.";

}  // namespace

ImpactView::ImpactView(const BoardModel& board, bool has_times_of_cpu, QWidget* parent)
    : QWidget(parent),
      board_(board),
      has_times_of_cpu_(has_times_of_cpu),
      said_(wrappedLabel()),
      plot_(new ImpactPlot(this)) {
  said_->setAccessibleName("What the plot shows");
  auto* layout = new QVBoxLayout(this);
  layout->addWidget(said_);
  layout->addWidget(plot_, 1);
  layout->addStretch();  // takes the space of the hidden plot
  connect(plot_, &ImpactPlot::siteChosen, this, &ImpactView::siteChosen);
  connect(&board_, &BoardModel::keptChanged, this, &ImpactView::draw);
  connect(&board_, &QAbstractItemModel::modelReset, this, &ImpactView::draw);
}

void ImpactView::select(const QString& call_site) { plot_->select(call_site); }

void ImpactView::showEvent(QShowEvent*) { draw(); }

void ImpactView::draw() {
  if (!isVisible()) return;  // showEvent() draws
  ImpactDots drawn = impactDots(board_);
  plot_->setVisible(!drawn.dots.empty());
  QStringList said;
  if (drawn.dots.empty()) said << kNoDots;
  if (!drawn.dots.empty() && drawn.unmeasured > 0)
    said << QString::fromStdString(text::counted(drawn.unmeasured, "call site")) +
                " without a loss impact above 0: not drawn.";
  if (!drawn.dots.empty() && !drawn.is_of_gpu && has_times_of_cpu_) said << views::kTimesOfCpu;
  said_->setText(said.join(' '));
  plot_->draw(std::move(drawn.dots), drawn.is_of_gpu ? "the GPU" : "the CPU");
}

}  // namespace ampprof::gui
