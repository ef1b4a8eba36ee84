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

/// A card for one finding: title and call site, chain from cause to effect, values compared with the ranges of types,
/// and remedies.
class FindingCard : public QFrame {
  Q_OBJECT

 public:
  explicit FindingCard(const DiagnosedFinding& diagnosed, QWidget* parent = nullptr);

 signals:
  /// Emitted when the user wants to run a remedy; `remedy` is a name for `ampprof advise --only`.
  void confirmWanted(const QString& remedy);
  /// Emitted when the user wants to see the culprit ("" for none) in a view of `ampprof show`.
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
