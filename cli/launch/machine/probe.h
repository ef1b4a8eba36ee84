// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "cli/launch/program/installation.h"
#include "cli/launch/program/options.h"
#include "reports/store/writer.h"

namespace ampprof::cli {

/// Asks cublasLt about the GEMMs of a report's runs that used a GPU, and with --probe times their matmuls. Answers and
/// what has none go into the report; a sentence on stderr says where nothing could be done. `folder` is for files that
/// are not needed any more then. `torch_lib` is that of the program's LibTorch, or "". Throws ReportError, and
/// UsageError where the probe has no LibTorch; what failed otherwise is in the report.
void probe_matmuls(const RunOptions& options, const Installation& installation, const std::filesystem::path& report,
                   const std::filesystem::path& folder, const std::filesystem::path& torch_lib,
                   store::ReportWriter& writer);

}  // namespace ampprof::cli
