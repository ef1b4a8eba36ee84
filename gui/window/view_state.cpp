// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/window/view_state.h"

#include <QAbstractButton>
#include <QComboBox>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QSaveFile>

#include "gui/pages/decide/board_page.h"
#include "gui/pages/shared/column_choice.h"
#include "gui/window/report_tab.h"

namespace ampprof::gui {
namespace {

/// Returns the value of a widget that the user can set; undefined for other widgets.
QJsonValue valueOf(const QWidget& widget) {
  if (const auto* field = qobject_cast<const QLineEdit*>(&widget)) return field->text();
  if (const auto* box = qobject_cast<const QComboBox*>(&widget)) return box->currentText();
  if (const auto* lines = qobject_cast<const QPlainTextEdit*>(&widget)) return lines->toPlainText();
  const auto* button = qobject_cast<const QAbstractButton*>(&widget);
  return button && button->isCheckable() ? QJsonValue(button->isChecked()) : QJsonValue(QJsonValue::Undefined);
}

void setValue(QWidget& widget, const QJsonValue& value) {
  if (auto* field = qobject_cast<QLineEdit*>(&widget)) field->setText(value.toString());
  if (auto* lines = qobject_cast<QPlainTextEdit*>(&widget)) lines->setPlainText(value.toString());
  if (auto* box = qobject_cast<QComboBox*>(&widget)) {
    if (const int place = box->findText(value.toString()); place >= 0) box->setCurrentIndex(place);
  }
  auto* button = qobject_cast<QAbstractButton*>(&widget);
  if (button && button->isCheckable()) button->setChecked(value.toBool());
}

/// Returns the values of a page's widgets, keyed by accessible name.
QJsonObject fieldsOf(const Page& page) {
  QJsonObject fields;
  for (const QWidget* widget : page.findChildren<QWidget*>()) {
    if (widget->accessibleName().isEmpty()) continue;
    if (const QJsonValue value = valueOf(*widget); !value.isUndefined()) fields[widget->accessibleName()] = value;
  }
  for (const ColumnChoice* columns : page.findChildren<ColumnChoice*>()) {
    if (const QJsonArray state = columns->state(); !state.isEmpty()) fields[columns->objectName()] = state;
  }
  return fields;
}

void setFields(const Page& page, const QJsonObject& fields) {
  for (QWidget* widget : page.findChildren<QWidget*>()) {
    const auto value = fields.find(widget->accessibleName());
    if (value != fields.end()) setValue(*widget, *value);
  }
  for (ColumnChoice* columns : page.findChildren<ColumnChoice*>()) {
    columns->restore(fields[columns->objectName()].toArray());
  }
}

QJsonArray toJson(const std::optional<queries::StepSpan>& steps) {
  return steps ? QJsonArray{qint64{steps->first}, qint64{steps->last}} : QJsonArray();
}

std::optional<queries::StepSpan> stepsFrom(const QJsonArray& json) {
  const queries::StepSpan steps{json[0].toInteger(-1), json[1].toInteger(-1)};
  return steps.first < 0 || steps.last < steps.first ? std::nullopt : std::optional(steps);
}

}  // namespace

QJsonObject viewState(const ReportTab& tab) {
  QJsonObject pages;
  for (const auto& [view, page] : tab.pages()) {
    if (const QJsonObject fields = fieldsOf(*page); !fields.isEmpty()) pages[view] = fields;
  }
  return {{"page", tab.viewInFront()},
          {"selection", tab.selection()},
          {"steps", toJson(tab.steps())},
          {"fp32", QJsonArray::fromStringList(tab.board()->marked())},
          {"pages", pages}};
}

void restoreViewState(ReportTab& tab, const QJsonObject& state) {
  const QJsonObject fields = state["pages"].toObject();
  for (const auto& [view, page] : tab.pages()) setFields(*page, fields[view].toObject());
  tab.select(state["selection"].toString());
  tab.showSteps(stepsFrom(state["steps"].toArray()));
  QStringList functions;
  for (const QJsonValue& name : state["fp32"].toArray()) functions << name.toString();
  tab.board()->mark(functions);
  tab.showView(state["page"].toString());
}

std::filesystem::path viewStateFile(const std::filesystem::path& report) {
  std::filesystem::path file = report;
  file += ".view.json";
  return file;
}

QJsonObject readViewState(const std::filesystem::path& report) {
  QFile file(viewStateFile(report));
  return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).object() : QJsonObject();
}

void writeViewState(const std::filesystem::path& report, const QJsonObject& state) {
  QSaveFile file(QString::fromStdString(viewStateFile(report).string()));
  if (!file.open(QIODevice::WriteOnly)) return;
  file.write(QJsonDocument(state).toJson());
  file.commit();
}

}  // namespace ampprof::gui
