// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gui/models/view_filter.h"
#include "gui/models/view_model.h"
#include "gui/pages/shared/page.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QSplitter;
class QTableView;

namespace ampprof::gui {

class FirstDifferenceBox;
struct ComparedRuns;

/// Shows two levels or runs, of one report or of two, as `ampprof diff` compares them. Whole runs are above. Below are
/// the first op call that differs, where both runs have sketches, and call sites, the largest change first. It says
/// where noise hides a difference.
class ComparePage : public Page {
  Q_OBJECT

 public:
  explicit ComparePage(std::shared_ptr<const ReportFile> file, QWidget* parent = nullptr);

  void open() override;
  QWidget* filterField() override;
  QString command() const override;
  std::optional<std::string> csv() const override;

  /// Other reports whose levels can be compared with this one's.
  void offer(const std::vector<std::shared_ptr<const ReportFile>>& others);

 signals:
  void shown();

 protected:
  void showSelection() override;
  void reread() override { read(); }

 private:
  struct Side {
    std::shared_ptr<const ReportFile> file;
    std::string runs;  ///< what --run takes: a level, or the id of one run
  };

  void addSides(const std::shared_ptr<const ReportFile>& file);
  const Side& side(const QComboBox* box) const;
  QWidget* makeBar();
  void read();
  void show(ComparedRuns comparison);
  void filter();

  std::vector<Side> sides_;  ///< in the order of both boxes
  ViewModel figures_;
  ViewModel sites_;
  ViewFilter filter_;
  QComboBox* a_;
  QComboBox* b_;
  QLineEdit* op_;
  QLabel* note_;  ///< a wrong pattern, or why there is nothing to compare
  FirstDifferenceBox* first_;
  QSplitter* halves_;  ///< hidden while nothing is compared
  QTableView* figure_table_;
  QTableView* site_table_;
  bool is_open_ = false;
  int asked_ = 0;  ///< comparisons so far: only the last one is shown
};

}  // namespace ampprof::gui
