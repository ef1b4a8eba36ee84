// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>

#include "cli/launch/program/options.h"

/// The flags of `ampprof run`, a row each in run_flags.cpp.
namespace ampprof::cli {

enum class FlagsOf { Run, OwnRecording };

/// Adds the flags of `ampprof run`, or only the flags for a program that records itself, under their headings.
void add_run_flags(CLI::App& app, RunOptions& options, FlagsOf of);

/// Adds one flag of `ampprof run` to another verb. `about` replaces its help, unless "".
CLI::Option* add_run_flag(CLI::App& app, std::string_view name, RunOptions& options, const std::string& about = "");

/// Stores in `options` which of the added flags are set, and parses the values that CLI11 cannot parse. Throws
/// UsageError.
void read_run_flags(const CLI::App& app, RunOptions& options);

}  // namespace ampprof::cli
