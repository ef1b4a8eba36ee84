// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/data/prediction.h"

#include <QStringList>

#include "precision/advice/advise.h"
#include "reports/queries/runs.h"
#include "reports/text/numbers.h"

namespace ampprof::gui {
namespace {

QString changed(const std::string& before, const std::string& after) {
  return QString::fromStdString(before) + " → " + QString::fromStdString(after);
}

/// Returns the time of a step without the overhead of ampprof, in ms.
std::optional<double> own_ms(const queries::RunRow& run) {
  if (!run.ms_per_step) return std::nullopt;
  return *run.ms_per_step - run.overhead_ms_per_step.value_or(0.0);
}

QString casts(const advice::Advice& advice) {
  double bytes = 0.0;
  for (const advice::Registration& registration : advice.policy) bytes += static_cast<double>(registration.cast_bytes);
  if (bytes == 0.0) return {};
  return QString(", casts %1%2").arg(bytes > 0 ? "+" : "", QString::fromStdString(text::bytes(bytes)));
}

QString meanText(const ImpactDetails& impact) {
  if (!impact.mean) return {};
  if (impact.is_resolved == false) return "; mean within noise";
  return "; mean " + QString::fromStdString(text::signed_scientific(*impact.mean));
}

QString known(const std::optional<double>& value, std::string (*show)(double)) {
  return value ? QString::fromStdString(show(*value)) : "unknown";
}

}  // namespace

QString impactText(const BoardLine& line) {
  if (!line.loss_change) return {};
  const QString size = QString::fromStdString(text::scientific(*line.loss_change));
  if (line.impact.is_signed) {
    return QString(
               "Δ loss per step: %1, the root mean square of the signed changes, since E is unknown or fails its check")
               .arg(size) +
           meanText(line.impact);
  }
  if (line.impact.is_of_decrease) {
    return QString("Δ of the loss decrease per step: %1").arg(size) + meanText(line.impact);
  }
  QString text = QString("Δ loss per step: E %1").arg(size);
  if (const auto& interval = line.impact.interval) {
    text += QString(", 90 % interval %1 to %2")
                .arg(QString::fromStdString(text::scientific(interval->low)),
                     QString::fromStdString(text::scientific(interval->high)));
  }
  return text + meanText(line.impact);
}

QString confirmationText(const advice::Advice& predicted, const queries::RunRow& before, const advice::Advice* measured,
                         const queries::RunRow* after) {
  if (measured == nullptr || after == nullptr) return "The new report holds no run to compare with.";
  const auto step = own_ms(before);
  const auto expected = step && predicted.cost_us ? std::optional(*step + *predicted.cost_us / 1000) : std::nullopt;
  const QStringList lines{
      QString("expected loss impact: %1 before, %2 predicted, %3 measured")
          .arg(known(predicted.impact_before, text::scientific), known(predicted.impact_after, text::scientific),
               known(measured->impact_before, text::scientific)),
      QString("time per step: %1 before, %2 predicted, %3 measured")
          .arg(known(step, text::milliseconds), known(expected, text::milliseconds),
               known(own_ms(*after), text::milliseconds)),
      QString("overflow events: %1 before, %2 measured").arg(before.overflow_events).arg(after->overflow_events)};
  return lines.join('\n');
}

QString lossText(const advice::Advice& advice) {
  if (advice.basis == advice::RankingBasis::LocalError) return "expected loss impact unknown: record with --impact";
  if (!advice.impact_before || !advice.impact_after)
    return "expected loss impact unknown: too few loss impacts were measured";
  return "expected loss impact " +
         changed(text::scientific(*advice.impact_before), text::scientific(*advice.impact_after));
}

QString stepText(const advice::Advice& advice, const queries::RunRow& run) {
  const auto before = own_ms(run);
  if (!before) return "time per step unknown";
  if (!advice.cost_us && advice.policy.empty()) {
    return "time per step " + QString::fromStdString(text::milliseconds(*before)) +
           ", cost of FP32 unknown: record a run at O0";
  }
  const auto after = advice.cost_us ? text::milliseconds(*before + *advice.cost_us / 1000) : "unknown";
  const QString by = run.gpu_ms_per_step && !advice.policy.empty() ? " (from GPU times)" : "";
  return "time per step " + changed(text::milliseconds(*before), after) + by + casts(advice);
}

}  // namespace ampprof::gui
