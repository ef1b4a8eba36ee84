// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

namespace ampprof::gui {

class ReportTab;
struct Findable;
struct Offer;

/// Makes offers of a report's findings and call sites. A finding leads to its card. A call site is selected in all
/// pages and shown in Ops, or in Decide where that page is in front or is asked for. They are for as long as the tab
/// lives.
std::vector<Offer> offersOf(ReportTab& tab, const Findable& found);

}  // namespace ampprof::gui
