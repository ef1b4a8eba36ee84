// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gui/pages/raw/table_page.h"

class QCheckBox;
class QPushButton;

namespace ampprof::gui {

/// The view "ranks": sentences that compare the ranks of a distributed program, and a row for each rank. Links lead
/// from a row to its run.
class RanksPage : public TablePage {
  Q_OBJECT

 public:
  explicit RanksPage(std::shared_ptr<const ReportFile> file, QWidget* parent = nullptr);

  QWidget* filterField() override;

 protected:
  void arrange(views::View& view) const override;
  void rowsCame() override;
  QString note() const override;

 private:
  void fillBar();
  void saySentences();
  void filterRanks();
  /// Shows the run of the current rank in the page of another view.
  void leadTo(const QString& view);
  void offerPages();

  QWidget* sentences_;
  QLineEdit* pattern_;
  QCheckBox* only_;
  QPushButton* to_timeline_;
  QPushButton* to_overflow_;
  QString wrong_;  ///< error message about the pattern; "" if there is none
};

}  // namespace ampprof::gui
