// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/verb.h"

namespace ampprof::cli {

const std::vector<Verb>& all_verbs() {
  static const std::vector<Verb> kVerbs{
      {"run", "run a program and record it", run_verb},
      {"show", "print what a report says: the summary or a table", show_verb},
      {"watch", "follow a run while it trains", watch_verb},
      {"serve", "show reports in a browser, even while they are being written", serve_verb},
      {"ctl", "change what a running program records", ctl_verb},
      {"advise", "recommend which functions to keep in FP32, or an FP8/FP4 format per matmul", advise_verb},
      {"search", "find functions that must stay in FP32 by re-running the program", search_verb},
      {"diff", "compare reports, levels or runs", diff_verb},
      {"check", "check a report against rules, for CI", check_verb},
      {"sql", "query a report with SQL", sql_verb},
      {"export", "turn a report into a page, a trace or tables", export_verb},
      {"merge", "merge several reports into one", merge_verb},
      {"mcp", "serve reports to AI agents (Model Context Protocol)", mcp_verb},
      {"samples", "list the built-in samples", samples_verb},
      {"doctor", "check that this machine can record", doctor_verb},
      {"completion", "print completions for a shell", completion_verb},
      {"man", "", man_verb},
      {"reference", "", reference_verb},
      {"record-begin", "", record_begin_verb},
      {"record-end", "", record_end_verb},
  };
  return kVerbs;
}

}  // namespace ampprof::cli
