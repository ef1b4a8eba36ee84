// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "cli/verbs/verb.h"
#include "views/table/view.h"

namespace ampprof::cli {

/// "--target-gpu" is AMPPROF_TARGET_GPU in the environment.
std::string variable_of(std::string_view flag);

/// Adds an option that the environment can hold too. `names` as CLI11 takes them, "-o,--output"; the last is the flag.
template <class T>
CLI::Option* add_option(CLI::App& app, const std::string& names, T& value, const std::string& about) {
  const std::string flag = names.substr(names.rfind("--"));
  return app.add_option(names, value, about)->envname(variable_of(flag));
}

CLI::Option* add_flag(CLI::App& app, const std::string& flag, bool& value, const std::string& about);

/// Says what can be written for an option, for completions and the manual page; the verb itself refuses other words.
/// With `is_list` several, parted by commas.
CLI::Option* one_of(CLI::Option* option, const std::vector<std::string>& choices, bool is_list = false);

/// O0 to O3.
std::vector<std::string> opt_levels();

/// --format, in every verb that prints data.
CLI::Option* add_format(CLI::App& app, std::string& format);

/// --run, in verbs that print the rows of one run or level.
CLI::Option* add_run(CLI::App& app, std::optional<std::string>& run);

/// --phase, --op, --module, --sort and --limit, in every verb that prints rows of call sites.
void add_row_selection(CLI::App& app, views::Selection& selection);

/// Throws UsageError for a --target-gpu that no rule knows; "" is none.
void check_gpu(const std::string& name);

/// The line behind "Usage:" in the help.
void set_usage(CLI::App& app, const std::string& usage);

/// Parses; returns false when it has printed the help that was asked for. Throws UsageError, which names the help, and
/// what describe.h says for the words there.
[[nodiscard]] bool parse(CLI::App& app, const Arguments& arguments);

/// Returns what CLI11 did not take of a verb that runs a program: the program and its arguments. Throws UsageError
/// where there is none, or an option that is none of ours.
Arguments program_behind(const CLI::App& app);

/// Lets numbers above 0 through.
CLI::Validator positive();

}  // namespace ampprof::cli
