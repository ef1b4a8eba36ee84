// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/window/report_offers.h"

#include "gui/data/findable.h"
#include "gui/pages/shared/text.h"
#include "gui/window/command_palette.h"
#include "gui/window/report_tab.h"

namespace ampprof::gui {
namespace {

constexpr const char* kBoard = "decide";

void goTo(ReportTab& tab, const QString& call_site, const QString& view) {
  tab.select(call_site);
  tab.showView(view);
}

}  // namespace

std::vector<Offer> offersOf(ReportTab& tab, const Findable& found) {
  std::vector<Offer> offers;
  for (std::size_t place = 0; place < found.findings.size(); ++place) {
    offers.push_back({text(found.findings[place]), "finding", [&tab, place] { tab.showFinding(place); }});
  }
  const QString view = tab.viewInFront() == kBoard ? kBoard : "ops";
  for (const std::string& name : found.call_sites) {
    const QString site = text(name);
    offers.push_back(
        {site, "call site", [&tab, site, view] { goTo(tab, site, view); }, [&tab, site] { goTo(tab, site, kBoard); }});
  }
  return offers;
}

}  // namespace ampprof::gui
