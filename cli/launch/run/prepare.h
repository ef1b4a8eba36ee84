// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/launch/program/installation.h"
#include "cli/launch/program/options.h"
#include "cli/launch/program/program.h"
#include "reports/records/run.h"
#include "reports/store/temporary_folder.h"

/// Prepares a recording that `ampprof run` starts or that a running program requests. Errors are UsageErrors.
namespace ampprof::cli {

/// Enables inherited error and loss impact for a sample, on about 50 evenly spread steps, unless flags say otherwise.
RunOptions with_defaults_of(RunOptions options, const Program& program);

/// Throws if the recorder or the preload stub is missing. `torch` is the version of the program's LibTorch; "" if
/// unknown.
void check_installation(const Installation& installation, const std::string& torch);
/// Throws if the stub's path contains a space, tab or colon: these separate the entries of LD_PRELOAD.
void check_preload(const std::filesystem::path& stub);

/// Throws if --record-ranks leaves out ranks although a flag changes each recorded process: unrecorded ranks would run
/// unchanged.
void check_record_ranks(const RunOptions& options, const Program& program);

/// Throws if a remedy cannot be applied to the program.
void check_remedies(const RunOptions& options, const Program& program);

void check_target_gpu(const std::string& name);

/// Creates an empty report at --output, or else at the next free ampprof-<n>.ampprof, and returns its path.
std::filesystem::path new_report(const RunOptions& options);

/// Returns a temporary folder for files of a run.
store::TemporaryFolder temporary_folder();

/// Returns the report's row for a run that begins now. `program` is its command line.
RunStart start_of(const RunOptions& options, const std::string& program);
/// Returns the rows for one execution of the program: one run, or one for each recipe of `--what-if`.
std::vector<RunStart> starts_of(const RunOptions& options, const std::string& program);

}  // namespace ampprof::cli
