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

/// A view of `ampprof show` as a table that can be filtered, grouped and sorted.
class TablePage : public Page {
  Q_OBJECT

 public:
  /// `view` is one of views::all_views().
  TablePage(std::shared_ptr<const ReportFile> file, std::string view, QWidget* parent = nullptr);

  void open() override;
  QWidget* filterField() override;
  QString command() const override;
  std::optional<std::string> csv() const override;
  bool takesSteps() const override;
  void showSteps(const std::optional<queries::StepSpan>& steps) override;

 signals:
  /// Rows of a request are there.
  void shown();

 protected:
  void showSelection() override;
  void renewed() override;
  /// Changes a view that was read, before it is shown: the order of its columns, say.
  virtual void arrange(views::View& /*view*/) const {}
  /// Returns what read() asks for.
  virtual ViewRequest request() const;
  /// Rows of a request were put into the table, before shown().
  virtual void rowsCame() {}
  /// steps() are others now, before they are read.
  virtual void stepsChanged() {}
  /// Returns the sentence above the table: why it is empty, or how many rows are shown; "" for no sentence.
  virtual QString note() const;

  void read();
  void saySomething();
  /// Whether a row's values are shown beside the table.
  void setDetailed(bool is_on);
  void setHeader(QHeaderView* header);
  /// Draws bars in these columns, by key.
  void setBars(std::vector<std::string> keys);
  /// That are shown alone.
  const std::optional<queries::StepSpan>& steps() const { return steps_; }
  const ViewModel& model() const { return model_; }
  /// The rows of model() that are seen, in their order.
  ViewFilter& seen() { return filter_; }
  const ViewFilter& seen() const { return filter_; }
  QTableView* table() const { return table_; }
  /// The row of fields above the table, whose layout is a QHBoxLayout.
  QWidget* bar() const { return bar_; }
  QComboBox* runBox() const { return run_; }

 private:
  void rowChosen(const QModelIndex& current);
  QWidget* makeBar();
  QWidget* makeTable();
  views::Selection patterns() const;
  /// Whether rows are made of several call sites, so that these are filtered before the rows are there.
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
  QWidget* rows_;  ///< with what a row stands for; hidden where there is none
  RecordDetails* details_;
  QTimer typed_;  ///< until rows are read again
  QLabel* note_;  ///< a wrong pattern, or why the table is empty
  std::optional<queries::StepSpan> steps_;
  bool is_open_ = false;
  bool keeps_place_ = false;  ///< the rows that come next are of a newer reading: nothing is to move
  bool is_detailed_ = true;
  int asked_ = 0;  ///< requests so far: only the last one's rows are shown
};

}  // namespace ampprof::gui
