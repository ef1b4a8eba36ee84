// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "reports/queries/report.h"
#include "reports/text/terminal.h"

namespace ampprof::cli {

/// Returns the text to print for the current content of a report.
using MakePage = std::function<std::string(const queries::Report&, const text::Terminal&)>;

/// Prints a page repeatedly while a run of the report is in progress, with a line above it for the state of each run. A
/// terminal shows each page over the last one; otherwise only changed pages are printed. Waits for a report that does
/// not exist yet. Returns when all runs have ended, or after SIGINT or SIGTERM. Throws ReportError.
void follow(const std::filesystem::path& report, const MakePage& make_page);

}  // namespace ampprof::cli
