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

/// Compares two levels or runs, of one or two reports, as `ampprof diff` does. From top to bottom: whole runs; if both
/// sides have sketches, the first op call that differs; call sites, the largest change first. Differences within noise
/// are marked.
class ComparePage : public Page {
  Q_OBJECT

 public:
  explicit ComparePage(std::shared_ptr<const ReportFile> file, QWidget* parent = nullptr);

  void open() override;
  QWidget* filterField() override;
  QString command() const override;
  std::optional<std::string> csv() const override;

  /// Sets the other open reports, whose levels can then be compared with the levels of this report.
  void offer(const std::vector<std::shared_ptr<const ReportFile>>& others);

 signals:
  void shown();

 protected:
  void showSelection() override;
  void reread() override { read(); }

 private:
  struct Side {
    std::shared_ptr<const ReportFile> file;
    std::string runs;               ///< argument of --run: a level, or the id of a run
    std::vector<std::int64_t> ids;  ///< ids of all runs that `runs` selects
  };

  void addSides(const std::shared_ptr<const ReportFile>& file);
  const Side& side(const QComboBox* box) const;
  /// Chooses the two runs of this report that promise the largest difference, if the report has at least two.
  void chooseFarthest();
  /// Chooses another run as the second side if both sides are the same, for example a run of a report just opened.
  void chooseAnother();
  bool hasTwoSides() const;
  /// Returns a sentence on why nothing is compared, and what to do.
  QString whyNothing() const;
  QWidget* makeBar();
  void read();
  void show(ComparedRuns comparison);
  void filter();

  std::vector<Side> sides_;  ///< same indices as the items of a_ and b_
  int own_ = 0;              ///< number of sides of this report, which are the first in sides_
  ViewModel figures_;
  ViewModel sites_;
  ViewFilter filter_;
  QComboBox* a_;
  QComboBox* b_;
  QLineEdit* op_;
  QLabel* note_;  ///< said_, error in the pattern, or reason why there is nothing to compare
  QString said_;  ///< evidence of the verdicts, and meaning of the signs in the tables
  FirstDifferenceBox* first_;
  QSplitter* halves_;  ///< hidden unless two sides are compared
  QTableView* figure_table_;
  QTableView* site_table_;
  bool is_open_ = false;
  int asked_ = 0;  ///< number of comparisons so far; only the last one is shown
};

}  // namespace ampprof::gui
