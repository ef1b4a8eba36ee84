// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <vector>

#include "gui/pages/shared/page.h"

class QScrollArea;
class QVBoxLayout;

namespace ampprof::gui {

struct DiagnosedFinding;

/// The findings of a report as cards, the costliest first. If there are none, shows the sentences of the overview.
class DiagnosisPage : public Page {
  Q_OBJECT

 public:
  explicit DiagnosisPage(std::shared_ptr<const ReportFile> file, QWidget* parent = nullptr);

  void open() override;
  QString command() const override;
  std::optional<std::string> csv() const override;
  /// Shows the card of a finding by its index in ReportFile::diagnosis(), now or once the findings are read.
  void showFinding(std::size_t place);

 signals:
  /// Emitted when the cards are shown.
  void shown();

 protected:
  void renewed() override;

 private:
  void read();
  /// Data of the page.
  struct Content;
  void display(const Content& content);
  void showWanted();
  /// Returns the heading for a report without findings, with a link to the overview.
  QWidget* makeAllClear();

  QScrollArea* area_;
  QVBoxLayout* cards_;
  std::optional<std::size_t> wanted_;  ///< index of the finding to show once the findings are read
  bool is_open_ = false;
};

}  // namespace ampprof::gui
