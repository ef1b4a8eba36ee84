// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/data/site_measure.h"

#include <algorithm>
#include <cmath>

#include "analysis/ops/op_figures.h"
#include "reports/queries/ops.h"
#include "reports/text/numbers.h"

namespace ampprof::gui {
namespace {

using Figure = std::optional<double>;

Figure timeOf(const queries::OpRow& op, double steps) { return op.gpu_us.value_or(op.cpu_us) / std::max(1.0, steps); }

Figure lossChangeOf(const queries::OpRow& op, double) { return analysis::impact_size_of(op); }

template <auto Member>
Figure errorOf(const queries::OpRow& op, double) {
  return op.*Member ? Figure((op.*Member)->relative_l2()) : std::nullopt;
}

constexpr SiteMeasure kMeasures[] = {
    {"time per step", "No op call of this run was recorded. Choose the steps to record with ampprof run --steps.",
     "cpu_us_per_call", Total::Sum, timeOf, text::microseconds, "gpu_us_per_call"},
    {"loss impact", "This run has no loss impacts. Record them with ampprof run --impact.", "loss_impact_rms",
     Total::RootOfSquares, lossChangeOf, text::scientific},
    {"local error",
     "This run has no local errors: its ops compute in FP32, or it had no reference. Measure them with ampprof run "
     "--reference fp32.",
     "local_rel_l2", Total::Largest, errorOf<&queries::OpRow::local>, text::scientific},
    {"accumulated error", "This run has no accumulated errors. Measure them with ampprof run --inherited.",
     "inherited_rel_l2", Total::Largest, errorOf<&queries::OpRow::inherited>, text::scientific},
};

}  // namespace

std::span<const SiteMeasure> siteMeasures() { return kMeasures; }

double weightOf(const SiteMeasure& measure, double figure) {
  return measure.total == Total::Sum ? figure : figure * figure;
}

std::optional<double> totalOf(const SiteMeasure& measure, const std::vector<std::optional<double>>& figures) {
  std::optional<double> total;
  for (const Figure& figure : figures) {
    if (!figure) continue;
    const double part = measure.total == Total::RootOfSquares ? *figure * *figure : *figure;
    if (!total || measure.total != Total::Largest) {
      total = total.value_or(0.0) + part;
    } else if (std::isnan(part) || part > *total) {
      total = part;
    }
  }
  return total && measure.total == Total::RootOfSquares ? std::sqrt(*total) : total;
}

}  // namespace ampprof::gui
