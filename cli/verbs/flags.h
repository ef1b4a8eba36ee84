// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "cli/verbs/verb.h"
#include "views/table/view.h"

namespace ampprof::cli {

/// Returns the environment variable of a flag: AMPPROF_TARGET_GPU for "--target-gpu".
std::string variable_of(std::string_view flag);

/// Adds an option that can also be set by the environment variable variable_of(flag). `names` has CLI11's format,
/// "-o,--output"; the last name is the flag.
template <class T>
CLI::Option* add_option(CLI::App& app, const std::string& names, T& value, const std::string& about) {
  const std::string flag = names.substr(names.rfind("--"));
  return app.add_option(names, value, about)->envname(variable_of(flag));
}

CLI::Option* add_flag(CLI::App& app, const std::string& flag, bool& value, const std::string& about);

/// Sets the possible values of an option for completions and the manual page; the verb itself refuses other values.
/// With `is_list`, the option takes several values, separated by commas.
CLI::Option* one_of(CLI::Option* option, const std::vector<std::string>& choices, bool is_list = false);

/// Returns the names of all opt levels: O0 to O3.
std::vector<std::string> opt_levels();

/// Adds --format, for every verb that prints data.
CLI::Option* add_format(CLI::App& app, std::string& format);

/// Adds --run, for verbs that print the rows of one run or level.
CLI::Option* add_run(CLI::App& app, std::optional<std::string>& run);

/// Adds --phase, --op, --module, --sort and --limit, for every verb that prints rows of call sites.
void add_row_selection(CLI::App& app, views::Selection& selection);

/// Throws UsageError for an unknown --target-gpu; "" passes.
void check_gpu(const std::string& name);

/// Sets the line after "Usage:" in the help.
void set_usage(CLI::App& app, const std::string& usage);

/// Parses; returns false after printing requested help. Throws UsageError, whose message points to --help. Throws
/// Described or Parsed if the first argument is kDescribe or kParseOnly.
[[nodiscard]] bool parse(CLI::App& app, const Arguments& arguments);

/// Returns the arguments that CLI11 left to a verb that runs a program: the program and its arguments. Throws
/// UsageError without a program, and for an unknown option.
Arguments program_behind(const CLI::App& app);

/// Accepts numbers above 0.
CLI::Validator positive();

}  // namespace ampprof::cli
