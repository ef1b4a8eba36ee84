// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "cli/launch/program/installation.h"
#include "cli/launch/program/options.h"
#include "reports/store/writer.h"

namespace ampprof::cli {

/// Asks cublasLt about the matmuls of a report's runs that used a GPU, and with --probe times their matmuls. Writes
/// answers and gaps into the report. Prints a sentence on stderr if nothing could be done. `folder` is for temporary
/// files. `torch_lib` is that of the program's LibTorch, or "". Throws ReportError, and UsageError if the probe has no
/// LibTorch. Other failures are in the report.
void probe_matmuls(const RunOptions& options, const Installation& installation, const std::filesystem::path& report,
                   const std::filesystem::path& folder, const std::filesystem::path& torch_lib,
                   store::ReportWriter& writer);

}  // namespace ampprof::cli
