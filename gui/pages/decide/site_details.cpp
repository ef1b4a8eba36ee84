// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/decide/site_details.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <utility>

#include "analysis/ops/executed.h"
#include "gui/data/background.h"
#include "gui/data/prediction.h"
#include "gui/data/report_file.h"
#include "gui/data/scaled_gradients.h"
#include "gui/pages/decide/impact_bar.h"
#include "gui/pages/diagnosis/step_plot.h"
#include "gui/pages/raw/exponent_plot.h"
#include "gui/pages/shared/source_link.h"
#include "gui/pages/shared/text.h"
#include "reports/queries/ops.h"
#include "reports/queries/site_steps.h"
#include "reports/records/merge_optional.h"
#include "reports/text/numbers.h"

namespace ampprof::gui {
namespace {

constexpr int kChoiceRest = 150;  // ms after a change of the selection before errors over steps are read

/// Returns "f32[64,1,28,28], f32 → f16 · 50 calls".
QString title_of(const queries::OpRow& site) {
  QStringList parts;
  parts << text(site.signature) +
               QString(", %1 → %2").arg(text(short_name(site.dtype_in)), text(short_name(site.dtype_out)));
  parts << QString("%1 calls").arg(text(text::count(site.calls)));
  return parts.join(" · ");
}

QString title_of(const std::vector<const queries::OpRow*>& sites, const QString& name) {
  if (sites.size() == 1) return name + '\n' + title_of(*sites.front());
  std::int64_t calls = 0;
  for (const queries::OpRow* site : sites) calls += site->calls;
  return name + QString("\n%1 call sites · %2 calls").arg(sites.size()).arg(text(text::count(calls)));
}

QString answerTo(kernel_names::Executed executed) {
  switch (executed) {
    case kernel_names::Executed::Used:
      return "yes";
    case kernel_names::Executed::NotUsed:
      return "no";
    case kernel_names::Executed::Fp16NotTensorCore:
      return "no, although its operands have 16 bits";
    case kernel_names::Executed::Unknown:
      break;
  }
  return "unknown";
}

/// Returns up to two output histograms, each merged over `sites`. The first has the exact results, or the program's own
/// results if no call site has a local error. The second has the results of the shadow.
std::vector<NamedExponents> exponents_of(const std::vector<const queries::OpRow*>& sites) {
  std::optional<ExponentHistogram> own;
  std::optional<ExponentHistogram> shadow;
  bool is_reference = false;
  for (const queries::OpRow* site : sites) {
    merge_optional(own, site->exponents);
    merge_optional(shadow, site->inherited_exponents);
    is_reference = is_reference || site->local;
  }
  std::vector<NamedExponents> rows;
  if (own) rows.push_back({is_reference ? "output (reference)" : "output", *own});
  if (shadow) rows.push_back({"output (shadow)", *shadow});
  return rows;
}

/// Returns "Ran on Tensor Cores: yes – name(tensor_shape): sm90_xmma_…". Returns "" for several call sites, for a run
/// without a GPU, and for an op without Tensor Core rules that did not run on Tensor Cores. `is_judged`: the op has
/// such rules.
QString executed_text(const std::vector<const queries::OpRow*>& sites, bool is_judged) {
  if (sites.size() != 1 || !sites.front()->gpu_us) return {};
  const analysis::Execution execution = analysis::execution_of(*sites.front());
  if (!is_judged && execution.executed == kernel_names::Executed::NotUsed) return {};
  return QString("Ran on Tensor Cores: %1 – %2").arg(answerTo(execution.executed), text(execution.evidence));
}

QLabel* plain_label() {
  auto* label = new QLabel;
  label->setTextFormat(Qt::PlainText);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  label->setWordWrap(true);
  return label;
}

}  // namespace

SiteDetails::SiteDetails(std::shared_ptr<const ReportFile> file, QWidget* parent)
    : QWidget(parent), file_(std::move(file)), stack_(new QStackedWidget(this)) {
  setAccessibleName("Details of the call site");
  auto* nothing = new QLabel("Select a call site.");
  nothing->setAlignment(Qt::AlignCenter);
  title_ = plain_label();
  title_->setAccessibleName("Call site");
  exponents_ = new ExponentPlot;
  QSizePolicy kept = exponents_->sizePolicy();
  kept.setRetainSizeWhenHidden(true);  // widgets above keep their positions
  exponents_->setSizePolicy(kept);
  steps_ = new StepPlot;
  scaled_ = plain_label();
  scaled_->setAccessibleName("At the advised loss scale");
  reason_ = plain_label();
  reason_->setAccessibleName("Tensor Cores");
  executed_ = plain_label();
  executed_->setAccessibleName("Ran on Tensor Cores");

  auto* site = new QWidget;
  auto* rows = new QVBoxLayout(site);
  rows->setContentsMargins({});
  auto* plots = new QHBoxLayout;
  plots->setSpacing(24);
  plots->addWidget(exponents_, 1);
  plots->addWidget(steps_, 1);
  source_ = new SourceLink;
  auto* heading = new QHBoxLayout;
  heading->addWidget(title_, 1);
  heading->addWidget(source_, 0, Qt::AlignTop);
  rows->addLayout(heading);
  change_ = plain_label();
  change_->setAccessibleName("Loss impact");
  rounded_ = new ImpactBar;
  auto* impact = new QHBoxLayout;
  impact->addWidget(change_, 1);
  impact->addWidget(rounded_, 1, Qt::AlignTop);
  rows->addLayout(impact);
  rows->addLayout(plots, 1);
  rows->addWidget(scaled_);
  rows->addWidget(reason_);
  rows->addWidget(executed_);
  stack_->addWidget(nothing);
  stack_->addWidget(site);
  auto* whole = new QVBoxLayout(this);
  whole->setContentsMargins({});
  whole->addWidget(stack_);

  soon_.setSingleShot(true);
  soon_.setInterval(kChoiceRest);
  connect(&soon_, &QTimer::timeout, this, &SiteDetails::readSteps);
}

void SiteDetails::showSites(const std::vector<const queries::OpRow*>& sites, const BoardLine& line,
                            const advice::LossScaleAdvice* scale) {
  ++*asked_;
  soon_.stop();
  stack_->setCurrentIndex(sites.empty() ? 0 : 1);
  if (sites.empty()) return;
  const QString reason = text(line.tensor_core_reason);
  title_->setText(title_of(sites, text(line.name)));
  showImpact(line);
  source_->showSource(sites.size() == 1 ? sites.front()->source : "");
  showExponents(sites, scale);
  showSteps(sites);
  reason_->setText(reason.isEmpty() ? QString() : QString("Tensor Cores: %1").arg(reason));
  reason_->setVisible(!reason.isEmpty());
  executed_->setText(executed_text(sites, !reason.isEmpty()));
  executed_->setVisible(!executed_->text().isEmpty());
}

void SiteDetails::showImpact(const BoardLine& line) {
  change_->setText(impactText(line));
  change_->setVisible(!change_->text().isEmpty());
  rounded_->setVisible(line.loss_change && !line.impact.parts.empty());
  rounded_->showImpact(line.loss_change.value_or(0.0), line.impact);
}

void SiteDetails::showExponents(const std::vector<const queries::OpRow*>& sites, const advice::LossScaleAdvice* scale) {
  auto rows = exponents_of(sites);
  const auto scaled = scale ? scaledGradients(sites, *scale) : std::nullopt;
  if (scaled && scaled->then) rows.push_back({"at scale " + text(text::plain(scaled->advised)), *scaled->then});
  exponents_->setVisible(!rows.empty());
  exponents_->showRows(std::move(rows));
  scaled_->setText(scaled ? text(scaled->text()) : QString());
  scaled_->setVisible(scaled.has_value());
}

void SiteDetails::showSteps(const std::vector<const queries::OpRow*>& sites) {
  steps_->setVisible(sites.size() == 1 && file_ != nullptr);
  if (sites.size() != 1 || !file_) return;
  site_ = std::make_shared<const queries::OpRow>(*sites.front());
  steps_->say("Reading …");
  soon_.start();
}

void SiteDetails::readSteps() {
  const int asked = ++*asked_;
  inBackground(
      this,
      [file = file_, site = site_, asked, newest = asked_] {
        return stepsOf(*file, *site, [&] { return asked == *newest; });
      },
      [this, asked](std::vector<queries::SiteStepRow>&& rows) {
        if (asked != *asked_) return;
        steps_->showRows(std::move(rows));
        if (steps_->isEmpty() && is_reduced_precision(site_->dtype_out)) {
          steps_->say("No error was measured: the run has no reference. Record a run without --reference off.");
        }
        emit stepsShown();
      },
      [this, asked](const QString& sentence) {
        if (asked != *asked_) return;
        steps_->say(sentence);
        emit failed(sentence);
      });
}

}  // namespace ampprof::gui
