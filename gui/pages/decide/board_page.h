// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "gui/models/board_order.h"
#include "gui/pages/shared/page.h"

class QButtonGroup;
class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QStackedWidget;

namespace ampprof::gui {

class BoardTable;
class ImpactView;
class SearchButton;
class SiteDetails;

/// The page where a user decides which functions run in FP32: the board, the predicted effect of marks, and the policy.
class BoardPage : public Page {
  Q_OBJECT

 public:
  /// open() reads the board from `file`. If `file` is null, call showBoard() instead.
  explicit BoardPage(std::shared_ptr<const ReportFile> file = nullptr, QWidget* parent = nullptr);

  void open() override;
  QWidget* filterField() override;
  QString command() const override;
  std::optional<std::string> csv() const override;

  /// Shows a board and clears all marks. `board` is null if the report has no run to advise on.
  void showBoard(std::shared_ptr<const Board> board);
  /// Returns the names of the functions that are marked as FP32; see advice::FunctionInModule::name().
  QStringList marked() const;
  /// Marks exactly these functions, now or once the board is read. Skips functions that the board lacks.
  void mark(const QStringList& functions);
  /// Returns the predicted effect of the marks; empty if there is no board.
  const advice::Advice& advice() const { return advice_; }

 public slots:
  /// Marks the functions that ampprof advises, now or once the board is read.
  void markProposed();
  void toggleCurrent();
  /// Asks for a file name, then calls writePolicy().
  void savePolicy();
  void writePolicy(const QString& path);
  /// Opens a ConfirmDialog, where the user can start a run that measures the effect of the marks.
  void confirm();
  /// Marks exactly the functions that policy lines select. Shows `because`, the reason, below the board until the marks
  /// change.
  void takeSet(const QStringList& lines, const QString& because);

 protected:
  void showSelection() override;
  void reread() override { read(); }

 private:
  QWidget* makeTop();
  QComboBox* makeRuns();
  void read();
  QWidget* makeTree();
  QWidget* makeBottom();
  QPushButton* makeCopyButton();
  void arrange();
  void predict();
  void showCurrent(const QModelIndex& current);
  void showDetails();

  bool is_open_ = false;
  QStringList to_mark_;    ///< functions to mark once the board is read
  bool proposes_ = false;  ///< whether to mark the advised functions once the board is read
  int asked_ = 0;          ///< number of requested boards; only the last one is shown
  std::shared_ptr<const Board> board_;
  advice::Advice advice_;
  BoardModel::Places found_;  ///< candidates that takeSet() marked
  QString found_because_;
  BoardModel model_;
  BoardOrder order_;
  QStackedWidget* stack_;
  QComboBox* run_;
  QButtonGroup* group_by_;
  QLineEdit* filter_;
  QLabel* problem_;
  QLabel* order_said_;
  BoardTable* tree_;
  ImpactView* plot_;
  SiteDetails* details_;
  QLabel* loss_change_;
  QLabel* step_time_;
  QLabel* notes_;
  QPushButton* save_;
  QPushButton* copy_;
  QPushButton* confirm_;
  SearchButton* search_;
};

}  // namespace ampprof::gui
