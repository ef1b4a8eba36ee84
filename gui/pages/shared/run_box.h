// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "gui/data/report_file.h"

class QComboBox;
class QWidget;

namespace ampprof::gui {

/// Makes a box of the runs of a report to choose one from: `chosen` is, or else the first. The data of an item is the
/// id of its run, a qlonglong.
QComboBox* makeRunBox(const ReportFile& file, const std::optional<queries::RunRow>& chosen, QWidget* parent);

/// Where a filled box has more items than one looks through, as runs of many ranks, lets a part of a name be typed.
void letTypeWhereMany(QComboBox* box);

}  // namespace ampprof::gui
