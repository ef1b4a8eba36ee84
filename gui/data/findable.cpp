// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/data/findable.h"

#include <set>

#include "gui/data/diagnosis.h"
#include "gui/data/report_file.h"
#include "gui/data/view_request.h"
#include "views/table/view.h"

namespace ampprof::gui {

Findable findableIn(const ReportFile& file) {
  Findable found;
  std::set<std::string> seen;
  const views::View ops = file.view({.name = "ops"});
  for (const views::Record& record : ops.records) {
    const std::string& call_site = views::text_at(ops, record, "call_site");
    if (!call_site.empty() && seen.insert(call_site).second) found.call_sites.push_back(call_site);
  }
  for (const DiagnosedFinding& diagnosed : file.diagnosis()) {
    const std::string& culprit = diagnosed.finding.culprit.call_site;
    found.findings.push_back(culprit.empty() ? diagnosed.title : diagnosed.title + " – " + culprit);
  }
  return found;
}

}  // namespace ampprof::gui
