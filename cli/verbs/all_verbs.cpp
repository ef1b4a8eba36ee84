// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/verb.h"

namespace ampprof::cli {

const std::vector<Verb>& all_verbs() {
  static const std::vector<Verb> kVerbs{
      {"run", "run a program and record it", run_verb},
      {"show", "read a report", show_verb},
      {"watch", "follow a run while it trains", watch_verb},
      {"serve", "show reports in a browser, while they are written too", serve_verb},
      {"ctl", "change what a running program records", ctl_verb},
      {"advise", "say which functions to register as FP32", advise_verb},
      {"search", "find by runs which functions must stay in high precision", search_verb},
      {"diff", "compare reports, levels or runs", diff_verb},
      {"check", "judge a report by rules", check_verb},
      {"sql", "query a report with SQL", sql_verb},
      {"export", "turn a report into a page, a trace or tables", export_verb},
      {"merge", "put several reports into one", merge_verb},
      {"mcp", "serve reports to agents", mcp_verb},
      {"samples", "list the built-in samples", samples_verb},
      {"doctor", "check that this machine can record", doctor_verb},
      {"completion", "print the completion of a shell", completion_verb},
      {"man", "", man_verb},
      {"record-begin", "", record_begin_verb},
      {"record-end", "", record_end_verb},
  };
  return kVerbs;
}

}  // namespace ampprof::cli
