// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <string>
#include <string_view>

#include "reports/queries/report.h"

namespace ampprof::gui {

inline QString text(std::string_view utf8) {
  return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}

/// Returns "step 12" or "steps 12–14".
inline QString stepsText(const queries::StepSpan& steps) {
  if (steps.first == steps.last) return QString("step %1").arg(steps.first);
  return QString("steps %1–%2").arg(steps.first).arg(steps.last);
}

/// Returns steps as an argument of --steps: "12:14".
inline std::string stepsArgument(const queries::StepSpan& steps) {
  return std::to_string(steps.first) + ':' + std::to_string(steps.last);
}

}  // namespace ampprof::gui
