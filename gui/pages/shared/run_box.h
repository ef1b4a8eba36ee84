// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>

class QComboBox;
class QWidget;

namespace ampprof::gui {

class ReportFile;

/// Makes a box of the runs of a report to choose one from: `chosen` is, or else the first. The data of an item is the
/// id of its run, a qlonglong.
QComboBox* makeRunBox(const ReportFile& file, std::optional<std::int64_t> chosen, QWidget* parent);
/// Chooses the run that the summary is about.
QComboBox* makeRunBox(const ReportFile& file, QWidget* parent);

/// Tells whether a report has more ranks than are shown one by one.
bool holdsManyRanks(const ReportFile& file);

/// Lets a part of a name be typed in a filled box that has too many items to look through, as runs of many ranks.
void letTypeWhereMany(QComboBox* box);

}  // namespace ampprof::gui
