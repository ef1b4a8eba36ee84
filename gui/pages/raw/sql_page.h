// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stop_token>

#include "gui/models/view_filter.h"
#include "gui/models/view_model.h"
#include "gui/pages/shared/page.h"

class QLabel;
class QPlainTextEdit;
class QPushButton;
class QTableView;

namespace ampprof::gui {

/// Runs the user's SQL queries on a report, read-only, as `ampprof sql` does. The initial query lists the tables.
class SqlPage : public Page {
  Q_OBJECT

 public:
  explicit SqlPage(std::shared_ptr<const ReportFile> file, QWidget* parent = nullptr);
  ~SqlPage() override;

  void open() override;
  QWidget* filterField() override;
  QString command() const override;
  std::optional<std::string> csv() const override;

 signals:
  /// Emitted after a query has succeeded or failed.
  void answered();

 private:
  QWidget* makeBar();
  void ask();
  void showAnswer(views::View view, bool has_more);
  void say(const QString& sentence);

  ViewModel model_;
  ViewFilter filter_;
  QPlainTextEdit* query_;
  QPushButton* run_;
  QPushButton* cancel_;
  QLabel* said_;
  QTableView* table_;
  std::stop_source stop_;
  std::string asked_;  ///< query whose rows are shown
  bool is_open_ = false;
};

}  // namespace ampprof::gui
