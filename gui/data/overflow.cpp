// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/data/overflow.h"

#include <algorithm>

namespace ampprof::gui {

const advice::LossScaleAdvice* Overflow::adviceFor(std::int32_t loss_id) const {
  const auto found = std::ranges::find(advice, loss_id, &advice::LossScaleAdvice::loss_id);
  return found == advice.end() ? nullptr : &*found;
}

}  // namespace ampprof::gui
