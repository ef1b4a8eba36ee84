// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QElapsedTimer>
#include <QTimer>
#include <memory>
#include <string>
#include <vector>

#include "gui/data/confirming_run.h"
#include "gui/data/search_run.h"
#include "gui/models/search_tree.h"

class QCheckBox;
class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QSpinBox;
class QTreeView;

namespace ampprof::gui {

/// Searches with `ampprof search` for a small set of functions that must stay in FP32, or of matmuls that a recipe must
/// not quantize. Shows the command, starts, stops and resumes it, and shows the sets tried so far. Not modal: closing
/// the dialog during a search only hides it. The destructor stops the search. The search's report keeps the tried sets,
/// which the next dialog shows again.
class SearchDialog : public QDialog {
  Q_OBJECT

 public:
  /// `report`: path of the report whose advice the search starts from.
  SearchDialog(SearchSubject subject, const QString& report, QWidget* parent = nullptr);

  bool isRunning() const { return run_.isRunning(); }

 public slots:
  void reject() override;
  void startOrStop();
  /// Reads the search's report again.
  void read();

 signals:
  /// Emitted when the user accepts the best set, given as policy lines. `because`: sentences on how it was found.
  void taken(const QStringList& lines, const QString& because);
  /// Emitted when the search's report was read.
  void shown();
  /// Emitted when the state of the search, such as isRunning(), has changed.
  void stateChanged();

 private:
  QFormLayout* makeForm();
  QWidget* makeTree();
  QWidget* makeButtons();
  SearchSettings settings() const;
  void settingsChanged();
  void showFindings(search::SearchState findings);
  void showState();
  void finish(const QString& sentence);
  void take();
  search::Result result() const;
  QString progressText() const;
  bool isFinished() const;

  const std::shared_ptr<const SearchSubject> subject_;
  QString start_report_;
  QString report_;
  std::shared_ptr<SearchReader> reader_;
  ConfirmingRun run_;
  SearchTree tree_;
  search::SearchProblem question_;
  search::SearchState findings_;
  search::Stop stop_ = search::Stop::Interrupted;  ///< why the last search ended
  bool is_stopping_ = false;
  QString problem_;  ///< error message; "" if there is no problem
  bool is_reading_ = false;
  bool has_to_read_ = false;  ///< the report must be read again, since it may have changed during reading
  QTimer soon_;
  QElapsedTimer since_start_;
  QLineEdit* program_;
  QLineEdit* folder_;
  QComboBox* metric_;
  QCheckBox* higher_;
  QLineEdit* within_;
  QSpinBox* minutes_;
  QSpinBox* parallel_;
  QPlainTextEdit* command_;
  QTreeView* sets_;
  QLabel* progress_;
  QLabel* said_;
  QPlainTextEdit* log_;
  QPushButton* start_;
  QPushButton* take_;
  QPushButton* close_;
};

}  // namespace ampprof::gui
