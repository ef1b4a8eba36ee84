// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <string>
#include <vector>

#include "gui/models/view_filter.h"
#include "gui/models/view_model.h"
#include "gui/pages/shared/page.h"

class QComboBox;
class QHeaderView;
class QLabel;
class QLineEdit;
class QTableView;

namespace ampprof::gui {

class RecordDetails;

/// A view of `ampprof show` as a table with filters, groups and sorting. Hides the fields of the filters if the view
/// has no row even without filters.
class TablePage : public Page {
  Q_OBJECT

 public:
  /// Creates the page of a view. `view`: name of one of views::all_views().
  TablePage(std::shared_ptr<const ReportFile> file, std::string view, QWidget* parent = nullptr);

  void open() override;
  QWidget* filterField() override;
  QString command() const override;
  std::optional<std::string> csv() const override;
  bool takesSteps() const override;
  void showSteps(const std::optional<queries::StepSpan>& steps) override;

 signals:
  /// Emitted when the requested rows are shown.
  void shown();

 protected:
  void showSelection() override;
  void renewed() override;
  /// Modifies a view before it is shown, for example the order of its columns.
  virtual void arrange(views::View& /*view*/) const {}
  /// Returns the request that read() makes.
  virtual ViewRequest request() const;
  /// Called when the requested rows are in the table, before shown() is emitted.
  virtual void rowsCame() {}
  /// Called when steps() has changed, before rows are read.
  virtual void stepsChanged() {}
  /// Returns the sentence above the table: why the table is empty, or how many rows are shown; "" for no sentence.
  virtual QString note() const;

  void read();
  void saySomething();
  /// Sets whether the values of the current row are shown next to the table.
  void setDetailed(bool is_on);
  void setHeader(QHeaderView* header);
  /// Shows bars in the columns with these keys.
  void setBars(std::vector<std::string> keys);
  /// Returns the steps to which the page is restricted; empty for all.
  const std::optional<queries::StepSpan>& steps() const { return steps_; }
  const ViewModel& model() const { return model_; }
  /// Returns the rows of model() that are visible, filtered and sorted.
  ViewFilter& seen() { return filter_; }
  const ViewFilter& seen() const { return filter_; }
  QTableView* table() const { return table_; }
  /// Returns the row of fields above the table. Its layout is a QHBoxLayout.
  QWidget* bar() const { return bar_; }
  QComboBox* runBox() const { return run_; }

 private:
  void rowChosen(const QModelIndex& current);
  QWidget* makeBar();
  QWidget* makeTable();
  views::Selection patterns() const;
  /// Tells whether patterns filter call sites during reading, since rows combine several call sites.
  bool isFilteredWhileRead() const;
  void show(views::View view);
  void patternChanged();
  void filter();

  std::string name_;
  ViewModel model_;
  ViewFilter filter_;
  QWidget* bar_;
  QComboBox* run_;
  QComboBox* group_;
  QLineEdit* op_;
  QLineEdit* module_;
  QTableView* table_;
  QWidget* rows_;  ///< table and details_; hidden if there are no rows
  RecordDetails* details_;
  QTimer typed_;  ///< delays reading until the user stops typing
  QLabel* note_;  ///< error about the pattern, or the result of note()
  std::optional<queries::StepSpan> steps_;
  bool is_open_ = false;
  bool keeps_place_ = false;  ///< keep the scroll position, since the next rows are from a reloaded report
  bool is_detailed_ = true;
  int asked_ = 0;  ///< number of requests; only the rows of the last one are shown
};

}  // namespace ampprof::gui
