// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/launch/program/installation.h"

/// The verbs of the command line, one file each. To add one: write it, declare it here, name it in all_verbs.cpp.
namespace ampprof::cli {

using Arguments = std::vector<std::string>;

struct Verb {
  std::string name;
  std::string_view about;  ///< one line for `ampprof --help`; "" for an unlisted verb
  /// Returns the exit code. `arguments` are the words after the verb. May throw UsageError and ReportError.
  int (*run)(const Arguments& arguments, const Installation& installation);
};

const std::vector<Verb>& all_verbs();

int run_verb(const Arguments& arguments, const Installation& installation);
int show_verb(const Arguments& arguments, const Installation& installation);
int watch_verb(const Arguments& arguments, const Installation& installation);
int advise_verb(const Arguments& arguments, const Installation& installation);
int diff_verb(const Arguments& arguments, const Installation& installation);
int check_verb(const Arguments& arguments, const Installation& installation);
int sql_verb(const Arguments& arguments, const Installation& installation);
int merge_verb(const Arguments& arguments, const Installation& installation);
int export_verb(const Arguments& arguments, const Installation& installation);
int completion_verb(const Arguments& arguments, const Installation& installation);
int man_verb(const Arguments& arguments, const Installation& installation);
int reference_verb(const Arguments& arguments, const Installation& installation);
int search_verb(const Arguments& arguments, const Installation& installation);
int record_begin_verb(const Arguments& arguments, const Installation& installation);
int record_end_verb(const Arguments& arguments, const Installation& installation);
int serve_verb(const Arguments& arguments, const Installation& installation);
int samples_verb(const Arguments& arguments, const Installation& installation);
int ctl_verb(const Arguments& arguments, const Installation& installation);
int mcp_verb(const Arguments& arguments, const Installation& installation);
int doctor_verb(const Arguments& arguments, const Installation& installation);

}  // namespace ampprof::cli
