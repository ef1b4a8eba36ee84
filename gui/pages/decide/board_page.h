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

/// Lets a user decide which functions run in FP32: the board, the effect of the marks, and the policy that they make.
class BoardPage : public Page {
  Q_OBJECT

 public:
  /// open() reads the board of this file; without a file it is given by showBoard().
  explicit BoardPage(std::shared_ptr<const ReportFile> file = nullptr, QWidget* parent = nullptr);

  void open() override;
  QWidget* filterField() override;
  QString command() const override;
  std::optional<std::string> csv() const override;

  /// Shows a board and clears all marks. Null for a report without a run to advise about.
  void showBoard(std::shared_ptr<const Board> board);
  /// Names of the functions that are marked as FP32; see advice::FunctionInModule::name().
  QStringList marked() const;
  /// Marks these and no others, now or once the board is read. Leaves out functions that the board lacks.
  void mark(const QStringList& functions);
  /// Returns what the marks would do; empty without a board.
  const advice::Advice& advice() const { return advice_; }

 public slots:
  /// Marks what ampprof advises, now or once the board is read.
  void markProposed();
  void toggleCurrent();
  /// Asks where to.
  void savePolicy();
  void writePolicy(const QString& path);
  /// Shows the command that would measure what the marks do; the user starts it there.
  void confirm();
  /// Marks the functions that lines of a policy reach, and no others; `because` stands below the board as long as they
  /// are marked.
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
  QStringList to_mark_;    ///< once the board is read
  bool proposes_ = false;  ///< marks what is advised once the board is read
  int asked_ = 0;          ///< boards that were asked for: only the last one is shown
  std::shared_ptr<const Board> board_;
  advice::Advice advice_;
  BoardModel::Places found_;  ///< by a search
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
