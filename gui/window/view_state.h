// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonObject>
#include <filesystem>

namespace ampprof::gui {

class ReportTab;

/// Returns what a user set in the pages of a report: the page in front, what is selected, fields, choices, columns and
/// their order, and which functions are marked as FP32.
QJsonObject viewState(const ReportTab& tab);

/// Sets what viewState() gave. Leaves out what is no longer there.
void restoreViewState(ReportTab& tab, const QJsonObject& state);

/// The file beside a report that keeps its view state; the report itself is never changed.
std::filesystem::path viewStateFile(const std::filesystem::path& report);

/// Empty where there is no such file, or a damaged one.
QJsonObject readViewState(const std::filesystem::path& report);

/// Writes the file, whole or not at all. In a folder that cannot be written nothing is kept.
void writeViewState(const std::filesystem::path& report, const QJsonObject& state);

}  // namespace ampprof::gui
