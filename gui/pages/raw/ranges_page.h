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

/// The view "ranges", as a heat map of exponents with the ranges of formats, or as a table like in the terminal. Both
/// are the same table widget with different columns, so they share filters, groups, order and selection.
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
  /// Limits the slider and the field to the steps of the selected run, or to the steps that all pages are restricted
  /// to. The minimum of the field means all steps within these limits.
  void limitSteps();

  ExponentDelegate* delegate_;
  ExponentHeader* header_;
  QComboBox* order_;
  QSlider* slider_;
  QSpinBox* step_;
  QWidget* formats_;
  QTimer soon_;  ///< delays reading until the slider has not moved for a moment
  bool is_heat_map_ = true;
};

}  // namespace ampprof::gui
