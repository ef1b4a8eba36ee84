// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "precision/advice/advise.h"

namespace ampprof::gui {

/// "loss change 8.1e-04 → 3.0e-05": what an advice does to the predicted change of the loss.
QString lossText(const advice::Advice& advice);

/// "step 22.8 ms → 22.9 ms, casts +20.0 kB": what it does to a step of the run, as far as its ops' time tells: of the
/// GPU where the run saw one.
QString stepText(const advice::Advice& advice, const queries::RunRow& run);

/// Tells what was, what was predicted and what a confirming run measured: a line each for the change of the loss, the
/// time of a step, and overflow events. `measured` is the advice of that run with nothing chosen; null where it has no
/// such run.
QString confirmationText(const advice::Advice& predicted, const queries::RunRow& before, const advice::Advice* measured,
                         const queries::RunRow* after);

}  // namespace ampprof::gui
