// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QHeaderView;
class QTreeView;

namespace ampprof::gui {

/// Returns the width, in pixels, that the longest name in the first column needs. Reads all rows of the first two
/// levels, also collapsed ones.
int widestName(const QTreeView& tree);

/// Hides the hidden sections again. A reset of the model gives them a width, which shows as a gap without a title.
void closeGaps(QHeaderView& header);

/// Gives the first column the width that other columns leave free, but at least the width of a name of `least`
/// characters, and at most `widest` pixels or 80 characters, so that numbers stay near their names. Space that remains
/// is at the right.
void fitNameColumn(QTreeView& tree, int least, int widest);

}  // namespace ampprof::gui
