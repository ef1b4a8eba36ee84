// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>

#include "gui/delegates/exponent_painting.h"
#include "gui/pages/raw/table_page.h"

class QSlider;
class QSpinBox;

namespace ampprof::gui {

class ExponentDelegate;
class ExponentHeader;

/// The view "ranges": as a heat map of exponents with the windows of formats, or as the table that the terminal prints.
/// Both are one table with other columns, so that filters, groups, order and selection are the same.
class RangesPage : public TablePage {
  Q_OBJECT

 public:
  explicit RangesPage(std::shared_ptr<const ReportFile> file, QWidget* parent = nullptr);

 protected:
  ViewRequest request() const override;
  void rowsCame() override;
  void stepsChanged() override;
  QString note() const override;

 private:
  QWidget* makeLook();
  QWidget* makeOrder();
  QWidget* makeSteps();
  QWidget* makeFormats();
  void showLook();
  void showFormats();
  /// Limits the field to the steps of the chosen run, or to the ones that are shown alone; the lowest place stands for all of them.
  void limitSteps();

  ExponentDelegate* delegate_;
  ExponentHeader* header_;
  QComboBox* order_;
  QSlider* slider_;
  QSpinBox* step_;
  QWidget* formats_;
  QTimer soon_;  ///< reads when the slider has come to rest
  bool is_heat_map_ = true;
};

}  // namespace ampprof::gui
