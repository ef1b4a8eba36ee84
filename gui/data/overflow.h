// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "precision/advice/loss_scale.h"
#include "reports/queries/events.h"
#include "reports/queries/scales.h"
#include "views/events/views.h"

namespace ampprof::gui {

/// The overflows of one run: what the loss scale did, and what the gradients ask of it.
struct Overflow {
  views::View events_view;              ///< as `ampprof show REPORT events` prints it
  std::vector<queries::EventRow> events;        ///< one for each record of the view
  std::vector<queries::ScaleRow> scales;        ///< every decision of the loss scalers, in the order of the run
  std::vector<advice::LossScaleAdvice> advice;  ///< of each loss whose gradients tell; see loss_scale_advice()

  /// Returns what the gradients of a loss ask for; null where nothing is known.
  const advice::LossScaleAdvice* adviceFor(std::int32_t loss_id) const;
};

}  // namespace ampprof::gui
