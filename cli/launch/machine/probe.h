// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "cli/launch/program/installation.h"
#include "cli/launch/program/options.h"
#include "reports/store/writer.h"

namespace ampprof::cli {

/// Asks cublasLt which algorithms it chooses for the matmuls of runs that used a GPU, and times these matmuls with
/// --probe. Writes the answers into the report, and what could not be probed as missing data. Prints a sentence on
/// stderr if nothing could be probed. `folder` is for temporary files. `torch_lib` is the library folder of the
/// program's LibTorch; "" searches for one. Throws ReportError. Throws UsageError if no LibTorch is found for the
/// probe.
void probe_matmuls(const RunOptions& options, const Installation& installation, const std::filesystem::path& report,
                   const std::filesystem::path& folder, const std::filesystem::path& torch_lib,
                   store::ReportWriter& writer);

}  // namespace ampprof::cli
