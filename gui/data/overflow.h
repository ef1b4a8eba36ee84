// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "precision/advice/loss_scale.h"
#include "reports/queries/events.h"
#include "reports/queries/scales.h"
#include "views/events/views.h"

namespace ampprof::gui {

/// Overflow events and loss scale decisions of one run, and the advised loss scales.
struct Overflow {
  views::View events_view;                      ///< `events`, as `ampprof show REPORT events` prints them
  std::vector<queries::EventRow> events;        ///< rows in the order of the records of `events_view`
  std::vector<queries::ScaleRow> scales;        ///< all decisions of the loss scalers, in the order of the run
  std::vector<advice::LossScaleAdvice> advice;  ///< per loss with enough gradient data; see loss_scale_advice()

  /// Returns the advice for a loss; null if there is none.
  const advice::LossScaleAdvice* adviceFor(std::int32_t loss_id) const;
};

}  // namespace ampprof::gui
