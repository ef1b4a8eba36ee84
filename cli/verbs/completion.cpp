// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "analysis/ops/nearest.h"
#include "cli/launch/program/exit_code.h"
#include "cli/verbs/describe.h"
#include "cli/verbs/flags.h"
#include "reports/text/listed.h"
#include "reports/text/usage_error.h"

namespace ampprof::cli {
namespace {

constexpr const char* kFooter = R"(
If ampprof is installed, both completions are in place already.

Example:
  source <(ampprof completion bash))";

const std::vector<std::string> kShells{"bash", "zsh"};

}  // namespace

int completion_verb(const Arguments& arguments, const Installation& installation) {
  std::string shell;
  CLI::App app("Prints completions of ampprof's verbs, options and views for a shell.", "ampprof completion");
  set_usage(app, "ampprof completion SHELL");
  app.footer(kFooter);
  one_of(app.add_option("SHELL", shell, "print completions for bash or zsh"), kShells)->required();
  if (!parse(app, arguments)) return kFine;
  if (shell != "bash" && shell != "zsh") {
    throw text::UsageError(fmt::format("Unknown shell '{}'.{} Completions exist for {}.", shell,
                                       analysis::did_you_mean(shell, kShells), text::listed(kShells)));
  }
  const std::vector<VerbDescription> verbs = describe_verbs(installation);
  fmt::print("{}", shell == "bash" ? bash_completion(verbs) : zsh_completion(verbs));
  return kFine;
}

}  // namespace ampprof::cli
