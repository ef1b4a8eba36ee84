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

/// Prepares a recording, whether `ampprof run` starts the program or a running program requests it. Throws UsageError.
namespace ampprof::cli {

/// Enables everything for a sample: inherited error and loss impact, on 50 of its steps spread evenly.
RunOptions with_defaults_of(RunOptions options, const Program& program);

/// `torch` is the LibTorch that the program is known to have; "" if unknown.
void check_installation(const Installation& installation, const std::string& torch);
/// Throws if the loader would not take the stub's path for a single entry of LD_PRELOAD, which is a list.
void check_preload(const std::filesystem::path& stub);

/// Throws if unrecorded ranks would lack a setting that ampprof makes in each process.
void check_record_ranks(const RunOptions& options, const Program& program);

/// Throws if a remedy cannot reach the program.
void check_remedies(const RunOptions& options, const Program& program);

void check_target_gpu(const std::string& name);

/// Creates the requested empty report, or the next free ampprof-<n>.ampprof, and returns its path.
std::filesystem::path new_report(const RunOptions& options);

/// Returns a temporary folder for files of a run.
store::TemporaryFolder temporary_folder();

/// Returns the report's row for a run that begins now. `program` is its command line.
RunStart start_of(const RunOptions& options, const std::string& program);
/// Returns the rows of the runs that one run of the program stands for: one for each recipe of `--what-if`.
std::vector<RunStart> starts_of(const RunOptions& options, const std::string& program);

}  // namespace ampprof::cli
