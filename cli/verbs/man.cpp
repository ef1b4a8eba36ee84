// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "cli/launch/program/exit_code.h"
#include "cli/verbs/describe.h"
#include "cli/verbs/flags.h"
#include "reports/version/version.h"

namespace ampprof::cli {

// The build calls this verb and installs its output, which `man ampprof` shows.
int man_verb(const Arguments& arguments, const Installation& installation) {
  CLI::App app("Prints the manual page.", "ampprof man");
  set_usage(app, "ampprof man [OPTIONS]");
  app.footer("\nExample:\n  ampprof man | man -l -");
  if (!parse(app, arguments)) return kFine;
  fmt::print("{}", man_page(describe_verbs(installation), version::number()));
  return kFine;
}

}  // namespace ampprof::cli
