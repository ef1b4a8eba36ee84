// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

namespace ampprof::analysis {
struct Finding;
struct Remedy;
}  // namespace ampprof::analysis

class QVBoxLayout;

namespace ampprof::gui {

struct DiagnosedFinding;

/// One finding: what is wrong and where, the way from cause to effect, the values against the ranges of types, and what
/// to do about it.
class FindingCard : public QFrame {
  Q_OBJECT

 public:
  explicit FindingCard(const DiagnosedFinding& diagnosed, QWidget* parent = nullptr);

 signals:
  /// The user wants a run with a remedy, as `ampprof advise --only` names it.
  void confirmWanted(const QString& remedy);
  /// The user wants to see the culprit, "" for none, in a view of `ampprof show`.
  void evidenceWanted(const QString& view, const QString& call_site);

 protected:
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

 private:
  void addHead(const DiagnosedFinding& diagnosed);
  void addChain(const analysis::Finding& finding);
  void addRemedy(const analysis::Remedy& remedy);
  void addCode(const QString& code);
  void addLinks(const analysis::Finding& finding);

  QVBoxLayout* layout_;
};

}  // namespace ampprof::gui
