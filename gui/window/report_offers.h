// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

namespace ampprof::gui {

class ReportTab;
struct Findable;
struct Offer;

/// Returns offers for a report's findings and call sites. A finding opens its card. A call site is selected in all
/// pages and shown in Ops, or in Decide if that is the current page or the user presses Ctrl+Enter. The offers refer to
/// `tab`, which must outlive them.
std::vector<Offer> offersOf(ReportTab& tab, const Findable& found);

}  // namespace ampprof::gui
