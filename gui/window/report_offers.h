// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

namespace ampprof::gui {

class ReportTab;
struct Findable;
struct Offer;

/// Returns offers for a report's findings and call sites. Choosing a finding opens its card. Choosing a call site
/// selects it in all pages and shows the page Ops, or Decide if Decide is the current page or if the user pressed
/// Ctrl+Enter. The offers refer to `tab`, which must outlive them.
std::vector<Offer> offersOf(ReportTab& tab, const Findable& found);

}  // namespace ampprof::gui
