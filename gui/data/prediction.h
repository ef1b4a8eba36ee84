// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "gui/data/board_lines.h"

namespace ampprof::advice {
struct Advice;
}

namespace ampprof::queries {
struct RunRow;
}

namespace ampprof::gui {

/// Returns the effect of an advice on the predicted loss change: "expected loss impact 8.1e-04 → 3.0e-05".
QString lossText(const advice::Advice& advice);

/// Returns the effect of an advice on the time of a step: "time per step 22.8 ms → 22.9 ms, casts +20.0 kB". The change
/// is a sum over ops, of GPU times if the run had a GPU, else of CPU times.
QString stepText(const advice::Advice& advice, const queries::RunRow& run);

/// Returns the loss change with its uncertainty: "Δ loss per step: E 3.1e-05, 90 % interval 2.2e-05 to 4.4e-05; mean
/// within noise"; "" if no loss change was measured.
QString impactText(const BoardLine& line);

/// Compares the values before, predicted and measured: one line each for the loss change, the time of a step and
/// overflow events. `measured`: advice on the confirming run for an empty policy; its `impact_before` is the measured
/// loss change. `measured` and `after` are null if the confirming report lacks the run.
QString confirmationText(const advice::Advice& predicted, const queries::RunRow& before, const advice::Advice* measured,
                         const queries::RunRow* after);

}  // namespace ampprof::gui
