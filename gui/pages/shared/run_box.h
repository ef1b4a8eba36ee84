// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>

class QComboBox;
class QWidget;

namespace ampprof::gui {

class ReportFile;

/// Creates a combo box with the runs of a report. Selects run id `chosen`, or the first run if `chosen` is empty. Item
/// data is the run id, a qlonglong.
QComboBox* makeRunBox(const ReportFile& file, std::optional<std::int64_t> chosen, QWidget* parent);
/// Creates a combo box with the runs of a report. Selects the run that the summary describes.
QComboBox* makeRunBox(const ReportFile& file, QWidget* parent);

/// Tells whether a report has so many ranks that only some of them are listed.
bool holdsManyRanks(const ReportFile& file);

/// Makes a combo box searchable if it has many items, for example runs of many ranks. Call it after filling the box.
void letTypeWhereMany(QComboBox* box);

}  // namespace ampprof::gui
