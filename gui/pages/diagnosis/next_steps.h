// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

namespace ampprof::analysis {
struct Finding;
}

class QPushButton;
class QVBoxLayout;

namespace ampprof::gui {

/// Lists what the user can do next, with buttons: remedies of the costliest findings; then the page Recipes if the
/// report predicts recipes, else the advised FP32 functions. Hidden if the list is empty.
class NextSteps : public QWidget {
  Q_OBJECT

 public:
  explicit NextSteps(QWidget* parent = nullptr);

  /// Lists the next steps. `has_advice`: the report has a run to advise on. `has_recipes`: the report has runs that
  /// predict recipes below 16 bits.
  void show(const std::vector<analysis::Finding>& findings, bool has_advice, bool has_recipes);

 signals:
  /// Emitted when the user wants to run a remedy; `remedy` is a name for `ampprof advise --only`.
  void confirmWanted(const QString& remedy);
  /// Emitted when the user wants to see the card of a finding. `place`: index of the finding in the argument of show().
  void findingWanted(std::size_t place);
  /// Emitted when the user wants to see the advised FP32 functions on the board.
  void adviceWanted();
  /// Emitted when the user wants to see the page Recipes.
  void recipesWanted();

 private:
  void clear();
  void addFinding(const analysis::Finding& finding, std::size_t place);
  void add(const QString& what, const std::vector<QPushButton*>& buttons);

  QVBoxLayout* rows_;
};

}  // namespace ampprof::gui
