// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

namespace ampprof::queries {
struct EventRow;
}

namespace ampprof::gui {

/// A link of the way that a NaN or inf went.
struct ChainLink {
  QString title;           ///< what it is: "exceeds 65504 (98304)", "then", "update skipped"
  QString text;            ///< a call site, a parameter, or what became of the loss scale; may be ""
  QString call_site = {};  ///< as in OpRow; "" unless it is an op
};

/// Returns the way from the op where an event began to its effect: the ops that it spread through, the parameters whose
/// gradients it reached, and what became of the step.
std::vector<ChainLink> chainOf(const queries::EventRow& event);

}  // namespace ampprof::gui
