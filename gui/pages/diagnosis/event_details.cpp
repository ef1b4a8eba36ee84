// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/diagnosis/event_details.h"

#include <QHeaderView>

#include "gui/delegates/wrapping_delegate.h"
#include "gui/pages/shared/text.h"
#include "reports/queries/events.h"
#include "reports/text/elide.h"
#include "reports/text/numbers.h"
#include "views/events/event_text.h"

namespace ampprof::gui {
namespace {

constexpr int kCallSiteRole = Qt::UserRole;

QTreeWidgetItem* op_item(const QString& title, const std::string& call_site) {
  auto* item = new QTreeWidgetItem({title, text(call_site)});
  item->setToolTip(1, item->text(1));
  item->setData(0, kCallSiteRole, text(call_site));
  return item;
}

QString state_of(const EventParameter& parameter) {
  QStringList parts;
  if (parameter.nan > 0) parts << text(text::count(parameter.nan)) + " NaN";
  if (parameter.inf > 0) parts << text(text::count(parameter.inf)) + " inf";
  if (parameter.finite_amax) parts << "largest finite " + text(text::number(*parameter.finite_amax));
  return parts.join(", ");
}

}  // namespace

EventDetails::EventDetails(QWidget* parent) : QTreeWidget(parent) {
  setAccessibleName("Course of the overflow");
  setHeaderLabels({"", ""});
  header()->hide();
  header()->setStretchLastSection(true);
  wrapColumn(this, 1);
  connect(this, &QTreeWidget::currentItemChanged, this, [this](const QTreeWidgetItem* item) {
    if (item == nullptr) return;
    const QString call_site = item->data(0, kCallSiteRole).toString();
    if (!call_site.isEmpty()) emit opChosen(call_site);
  });
}

void EventDetails::show(const queries::EventRow& event) {
  const QSignalBlocker blocker(this);  // filling the tree changes the current item, but the user did not choose an op
  clear();
  addTopLevelItem(event.first_op.empty() ? new QTreeWidgetItem({"First", "unknown"})
                                         : op_item("First", event.first_op));
  for (const std::string& op : event.chain) {
    if (op != event.first_op) addTopLevelItem(op_item("then", op));
  }
  addTopLevelItem(new QTreeWidgetItem({"Cause", text(views::cause_text(event))}));
  addTopLevelItem(new QTreeWidgetItem({"Fits FP32", text(views::fp32_text(event))}));
  addTopLevelItem(new QTreeWidgetItem({"Outcome", text(views::outcome_text(event))}));
  auto* parameters =
      new QTreeWidgetItem({"Parameters", text(text::count(static_cast<std::int64_t>(event.parameters.size())))});
  for (const EventParameter& parameter : event.parameters) {
    parameters->addChild(new QTreeWidgetItem({"", text(text::printable(parameter.name)) + ": " + state_of(parameter)}));
  }
  addTopLevelItem(parameters);
  const QString bound = event.largest_safe_scale && event.largest_safe_scale_is_bound ? "at most " : "";
  addTopLevelItem(
      new QTreeWidgetItem({"Safe scale", bound + text(text::shown(event.largest_safe_scale, text::plain))}));
  expandAll();
  resizeColumnToContents(0);
}

}  // namespace ampprof::gui
