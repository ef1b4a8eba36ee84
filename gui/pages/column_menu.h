// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QHeaderView;
class QMenu;
class QWidget;

namespace ampprof::gui {

/// A menu that shows and hides the columns of a header, but the first. The header shows it on a right click too. It
/// belongs to `parent`; the header must have its model.
QMenu* makeColumnMenu(QHeaderView* header, QWidget* parent);

}  // namespace ampprof::gui
