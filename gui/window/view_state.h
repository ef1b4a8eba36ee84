// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonObject>
#include <filesystem>

namespace ampprof::gui {

class ReportTab;

/// Returns the user's changes to the pages of a report: current page, selection, fields, columns and their order, and
/// functions marked as FP32.
QJsonObject viewState(const ReportTab& tab);

/// Restores the result of viewState(). Ignores entries for pages, columns and functions that the report does not have
/// any more.
void restoreViewState(ReportTab& tab, const QJsonObject& state);

/// Returns the path of the file that stores the view state of a report. The file is in the report's folder; the report
/// itself is never changed.
std::filesystem::path viewStateFile(const std::filesystem::path& report);

/// Returns the stored view state; an empty object if the file is missing or invalid.
QJsonObject readViewState(const std::filesystem::path& report);

/// Stores the view state, atomically. Does nothing if the folder is not writable.
void writeViewState(const std::filesystem::path& report, const QJsonObject& state);

}  // namespace ampprof::gui
