// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

namespace ampprof::queries {
struct EventRow;
}

namespace ampprof::gui {

/// A link of the chain along which a NaN or inf spread.
struct ChainLink {
  QString title;           ///< heading: "exceeds 65504 (98304)", "then", "update skipped"
  QString text;            ///< call site, parameter or change of the loss scale; may be ""
  QString call_site = {};  ///< OpRow::call_site; "" if the link is not an op
};

/// Returns the chain from the op where an event began to the effect of the event: ops through which NaN or inf spread,
/// parameters whose gradients have them, and whether the update was skipped.
std::vector<ChainLink> chainOf(const queries::EventRow& event);

}  // namespace ampprof::gui
