// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonObject>
#include <filesystem>

namespace ampprof::gui {

class ReportTab;

/// Returns the user's changes to the pages of a report: current page, selection, fields, columns and their order, and
/// functions marked as FP32.
QJsonObject viewState(const ReportTab& tab);

/// Restores viewState(). Ignores entries for things that no longer exist.
void restoreViewState(ReportTab& tab, const QJsonObject& state);

/// Returns the path of the file beside the report that stores its view state. The report itself is never changed.
std::filesystem::path viewStateFile(const std::filesystem::path& report);

/// Returns an empty object if the file is missing or invalid.
QJsonObject readViewState(const std::filesystem::path& report);

/// Writes the file atomically. Does nothing if the directory is not writable.
void writeViewState(const std::filesystem::path& report, const QJsonObject& state);

}  // namespace ampprof::gui
