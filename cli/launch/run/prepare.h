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

/// Prepares a recording, whether `ampprof run` starts the program or a running program asks for it. Throws
/// UsageError.
namespace ampprof::cli {

/// A sample shows everything: with inherited error and loss impact, on 50 of its steps spread evenly.
RunOptions with_defaults_of(RunOptions options, const Program& program);

/// `torch` is the LibTorch that the program is known to have; "" where it is not known.
void check_installation(const Installation& installation, const std::string& torch);
/// Throws where the loader would not take the stub for one file of LD_PRELOAD, a list.
void check_preload(const std::filesystem::path& stub);

/// Throws where ranks that are not recorded would do without what ampprof is to do in each process.
void check_record_ranks(const RunOptions& options, const Program& program);

/// Throws where a remedy cannot reach the program.
void check_remedies(const RunOptions& options, const Program& program);

void check_target_gpu(const std::string& name);

/// Makes the empty report that was asked for, or the next free ampprof-<n>.ampprof, and returns its path.
std::filesystem::path new_report(const RunOptions& options);

/// Returns a folder for what a run needs beside its report.
store::TemporaryFolder temporary_folder();

/// Returns what the report says of a run that begins now. `program` is its command line.
RunStart start_of(const RunOptions& options, const std::string& program);
/// Likewise of each run of the report that one run of the program is: one for each recipe of `--what-if`.
std::vector<RunStart> starts_of(const RunOptions& options, const std::string& program);

}  // namespace ampprof::cli
