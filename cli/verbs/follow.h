// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "reports/queries/report.h"
#include "reports/text/terminal.h"

namespace ampprof::cli {

/// Returns what is to be read of a report now, as lines.
using MakePage = std::function<std::string(const queries::Report&, const text::Terminal&)>;

/// Prints a page anew while a run of the report goes on, with a line above it for what each run does now: in a terminal
/// over the page before, else each time that it is another. Waits for a report that is not there yet. Returns when all
/// runs have ended, or when somebody interrupts it. Throws ReportError.
void follow(const std::filesystem::path& report, const MakePage& make_page);

}  // namespace ampprof::cli
