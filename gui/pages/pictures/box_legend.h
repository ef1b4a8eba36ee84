// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "gui/delegates/box_colours.h"

namespace ampprof::gui {

/// Legend for the colours of a picture of modules: a colour scale between two labels, then single colours.
class BoxLegend : public QWidget {
  Q_OBJECT

 public:
  /// A colour scale of the legend. Not drawn if `title` is empty.
  struct Scale {
    BoxTone::Kind kind = BoxTone::Kind::Heat;
    QString title;
    QString low;
    QString high;
    double largest = 1.0;  ///< value of the colour at the high end
  };
  struct Single {
    BoxTone tone;
    QString meaning;
  };

  explicit BoxLegend(QWidget* parent = nullptr);

  void show(Scale scale, std::vector<Single> singles);

  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  Scale scale_;
  std::vector<Single> singles_;
};

}  // namespace ampprof::gui
