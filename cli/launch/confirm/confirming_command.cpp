// SPDX-License-Identifier: Apache-2.0
#include "cli/launch/confirm/confirming_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "amp_core/levels/error.h"
#include "amp_core/policy/policy.h"
#include "analysis/diagnosis/finding.h"
#include "reports/queries/runs.h"
#include "reports/text/shell_text.h"
#include "reports/text/usage_error.h"

namespace ampprof::cli {
namespace {

namespace fs = std::filesystem;

// Flags of the original run that a confirming run sets itself or does not need.
constexpr std::string_view kReplaced[] = {"--output", "--force", "--levels",       "--policy", "--remedy",
                                          "--repeat", "--probe", "--probe-budget", "--eager"};

std::vector<std::string> flags_of(const queries::RunRow& run) {
  return text::words_of(run.flags).value_or(std::vector<std::string>());
}

/// Returns the value of a flag of the run; "" if the run had no such flag.
std::string value_of(const queries::RunRow& run, std::string_view flag) {
  return text::flag_in(run.flags, flag).value_or("");
}

bool is_kept(const std::string& word) {
  return std::ranges::find(kReplaced, std::string_view(word).substr(0, word.find('='))) == std::end(kReplaced);
}

/// Returns the flags for a remedy. A static loss scale is passed as --loss-scale too, so that the recorder divides
/// losses and impacts by it.
std::vector<std::string> flags_for(const analysis::Remedy& remedy) {
  if (remedy.word.empty()) return {};
  constexpr std::string_view kStatic = "loss_scale=";
  std::vector<std::string> words{"--remedy=" + remedy.word};
  if (remedy.word.starts_with(kStatic)) words.push_back("--loss-scale=" + remedy.word.substr(kStatic.size()));
  return words;
}

}  // namespace

std::string why_not_rerun(const queries::RunRow& run) {
  if (!run.what_if.empty()) return "--what-if only predicted its type; the program did not run in it";
  if (run.folder.empty()) return "it recorded itself, or the report does not name the folder that it was started in";
  if (!text::words_of(run.program) || !text::words_of(run.flags)) return "its command line is damaged";
  return "";
}

std::string confirming_policy(const queries::RunRow& run, const analysis::Remedy& remedy) {
  if (remedy.policy.empty()) return "";
  std::string policy;
  try {
    if (const std::string own = value_of(run, "--policy"); !own.empty())
      policy = amp::policy_file_text((fs::path(run.folder) / own).string()) + "\n";
  } catch (const amp::Error& error) {
    throw text::UsageError(fmt::format("--confirm: the policy file of the run no longer exists. {}", error.what()));
  }
  return policy + remedy.policy + "\n";
}

std::string confirming_command(const queries::RunRow& run, const analysis::Remedy& remedy, const fs::path& ampprof,
                               const fs::path& report, const fs::path& policy) {
  std::vector<std::string> words{ampprof.string(), "run"};
  std::ranges::copy_if(flags_of(run), std::back_inserter(words), is_kept);
  if (!value_of(run, "--levels").empty()) words.push_back("--levels=" + run.level);
  if (value_of(run, "--eager") == "only") words.emplace_back("--eager");
  if (const std::string own = policy.empty() ? value_of(run, "--policy") : policy.string(); !own.empty())
    words.push_back("--policy=" + own);
  std::ranges::copy(flags_for(remedy), std::back_inserter(words));
  words.insert(words.end(), {"-o", report.string(), "--"});
  return fmt::format("cd {} && exec {} {}", text::shell_text({run.folder}), text::shell_text(words),
                     text::shell_text(*text::words_of(run.program)));
}

}  // namespace ampprof::cli
