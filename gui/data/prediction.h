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

/// "loss change 8.1e-04 → 3.0e-05": what an advice does to the predicted change of the loss.
QString lossText(const advice::Advice& advice);

/// "step 22.8 ms → 22.9 ms, casts +20.0 kB": what it does to a step of the run, as far as its ops' time tells: of the
/// GPU where the run saw one.
QString stepText(const advice::Advice& advice, const queries::RunRow& run);

/// "Δ loss a step: E 3.1e-05, 90 % interval 2.2e-05 to 4.4e-05; mean not resolved": what an error does, and how sure
/// that is; "" where it was not measured.
QString impactText(const BoardLine& line);

/// Says what the rows of a board come in the order of, as long as nobody chose another.
QString orderText(BoardOrdering ordering);

/// Tells what was, what was predicted and what a confirming run measured: a line each for the change of the loss, the
/// time of a step, and overflow events. `measured` is the advice of that run with nothing chosen; null where it has no
/// such run.
QString confirmationText(const advice::Advice& predicted, const queries::RunRow& before, const advice::Advice* measured,
                         const queries::RunRow* after);

}  // namespace ampprof::gui
