// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QListWidget>
#include <string>
#include <vector>

namespace ampprof::gui {

/// Lists the pages of a report by the question that they answer. Arrows go from page to page.
class Sidebar : public QListWidget {
  Q_OBJECT

 public:
  /// `is_distributed`: the report has several ranks. Pages that compare ranks are hidden without.
  explicit Sidebar(bool is_distributed, QWidget* parent = nullptr);

  /// Chooses a page by its place in kPageTitles.
  void choosePage(int page);
  /// Greys the pages that have nothing to show, once it is known which tables of the report have rows.
  void showFilled(const std::vector<std::string>& tables);
  bool isEmpty(int page) const;

  QSize sizeHint() const override;

 signals:
  void chosen(int page);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void addGroup(int group, bool is_shown);
  void setColours();

  std::vector<QListWidgetItem*> pages_;  ///< in the order of kPageTitles
};

}  // namespace ampprof::gui
