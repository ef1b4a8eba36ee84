// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "views/table/format.h"

namespace ampprof::analysis {
class Targets;
struct ReportRows;
}  // namespace ampprof::analysis

namespace ampprof::views {

/// Returns the page of `ampprof show REPORT`: first the answer, then the evidence, at most about 60 lines. JSON is one
/// object: answer, runs, top_ops, first_diverging, events, tensor_cores, missing. CSV holds only the table of runs.
std::string summary(const std::filesystem::path& report, const analysis::ReportRows& rows,
                    const analysis::Targets& targets, Format format, const text::Terminal& terminal);

}  // namespace ampprof::views
