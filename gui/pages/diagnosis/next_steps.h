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

/// Lists what to do next, each with buttons that do it: remedies of the costliest findings, and the marks that ampprof
/// advises. Hidden where there is nothing to do.
class NextSteps : public QWidget {
  Q_OBJECT

 public:
  explicit NextSteps(QWidget* parent = nullptr);

  /// `has_advice`: the report has a run to advise about.
  /// `has_recipes`: it has runs that judge recipes below 16 bits.
  void show(const std::vector<analysis::Finding>& findings, bool has_advice, bool has_recipes);

 signals:
  /// The user wants a run with a remedy, as `ampprof advise --only` names it.
  void confirmWanted(const QString& remedy);
  /// The user wants to see the card of a finding, by its place.
  void findingWanted(std::size_t place);
  /// The user wants to see the functions on the board that ampprof would keep in FP32.
  void adviceWanted();
  /// The user wants to see what recipes do to each layer.
  void recipesWanted();

 private:
  void clear();
  void addFinding(const analysis::Finding& finding, std::size_t place);
  void add(const QString& what, const std::vector<QPushButton*>& buttons);

  QVBoxLayout* rows_;
};

}  // namespace ampprof::gui
