// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/overflow_chain.h"

#include "reports/queries/events.h"
#include "reports/text/elide.h"
#include "reports/text/numbers.h"
#include "views/events/event_text.h"

namespace ampprof::gui {
namespace {

QString asText(const std::string& text) { return QString::fromStdString(text::printable(text)); }

ChainLink opLink(const QString& title, const std::string& call_site) {
  return {title, asText(call_site), QString::fromStdString(call_site)};
}

ChainLink gradientsOf(const std::vector<EventParameter>& parameters) {
  const QString first = asText(parameters.front().name);
  if (parameters.size() == 1) return {"gradient of", first};
  return {"gradients of", QString("%1 and %2 more").arg(first).arg(parameters.size() - 1)};
}

ChainLink outcomeOf(const queries::EventRow& event) {
  const bool has_scale = event.by_scaler && event.scale_before != event.scale_after;
  const QString scale = has_scale
                            ? QString("scale %1 → %2")
                                  .arg(asText(text::plain(event.scale_before)), asText(text::plain(event.scale_after)))
                            : QString();
  return {asText(views::outcome_text(event)), scale, QString::fromStdString(event.outcome_op)};
}

}  // namespace

std::vector<ChainLink> chainOf(const queries::EventRow& event) {
  std::vector<ChainLink> chain;
  const QString cause = asText(views::cause_text(event));
  if (event.first_op.empty()) {
    chain.push_back({cause, "unknown op"});
  } else {
    chain.push_back(opLink(cause, event.first_op));
  }
  for (const std::string& op : event.chain) {
    if (op != event.first_op) chain.push_back(opLink("then", op));
  }
  if (!event.parameters.empty()) chain.push_back(gradientsOf(event.parameters));
  chain.push_back(outcomeOf(event));
  return chain;
}

}  // namespace ampprof::gui
