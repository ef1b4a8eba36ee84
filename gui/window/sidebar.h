// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QListWidget>
#include <string>
#include <vector>

namespace ampprof::gui {

/// A list of a report's pages, grouped by the question that they answer. The arrow keys move between pages.
class Sidebar : public QListWidget {
  Q_OBJECT

 public:
  /// `is_distributed`: the report has several ranks. If false, the pages of the group Distributed are empty, and hidden
  /// until one of them is chosen.
  explicit Sidebar(bool is_distributed, QWidget* parent = nullptr);

  /// Selects a page by its index in kPageTitles. Shows the page's group if the group is hidden.
  void choosePage(int page);
  /// Greys out pages without data. `tables`: names of the report's tables that have rows.
  void showFilled(const std::vector<std::string>& tables);
  bool isEmpty(int page) const;

  QSize sizeHint() const override;

 signals:
  void chosen(int page);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void addGroup(int group, bool is_shown);
  void showGroup(int group);
  bool isFilled(int page, const std::vector<std::string>& tables) const;
  void setColours();

  bool is_distributed_;
  std::vector<QListWidgetItem*> pages_;  ///< items of the pages, in the order of kPageTitles
};

}  // namespace ampprof::gui
