// SPDX-License-Identifier: Apache-2.0
#include "cli/launch/run/environment.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>

#include "amp_core/launch/launcher.h"
#include "amp_core/levels/level.h"
#include "cli/launch/program/arguments.h"
#include "cli/launch/run/policy_file.h"
#include "reports/recording/options.h"
#include "reports/recording/remedies.h"
#include "reports/recording/stub_variables.h"

extern char** environ;

namespace ampprof::cli {
namespace {

void set(Environment& environment, const std::string& name, const std::string& value) {
  std::erase_if(environment, [&](const std::string& entry) { return entry.starts_with(name + '='); });
  environment.push_back(name + '=' + value);
}

/// Returns a variable's value; null if it is unset.
const char* find(const Environment& environment, const std::string& name) {
  const auto entry = std::ranges::find_if(environment, [&](const auto& each) { return each.starts_with(name + '='); });
  return entry == environment.end() ? nullptr : entry->c_str() + name.size() + 1;
}

// Prepends a path to a list that colons separate.
void prepend(Environment& environment, const std::string& name, const std::string& value) {
  const char* rest = find(environment, name);
  set(environment, name, rest == nullptr || *rest == '\0' ? value : value + ':' + rest);
}

/// Returns the options for the recorder.
recording::Options options_of(const Recording& recording, const RunOptions& asked, const Program& program) {
  recording::Options options = asked.record;
  options.report = std::filesystem::absolute(recording.report);
  options.run = recording.run;
  options.max_bytes = recording.max_bytes;
  if (asked.start.seed && *asked.start.seed >= 0) options.seed = static_cast<std::uint64_t>(*asked.start.seed);
  options.level = recording.level;
  const bool casts = amp::patches_functions(recording.level);
  const bool has_rules = recording.level.empty() && !asked.policy.empty();
  const bool has_recipe = runs_in_recipe(asked);
  options.inject_casts = (casts || has_recipe) && !program.has_amp_core;
  options.inject_rules = (has_rules || (!casts && has_recipe)) && !program.has_amp_core;
  return options;
}

/// Makes the path of a recipe file absolute, since the program may change its working directory.
std::string path_or_name(const std::string& recipe) {
  return std::filesystem::is_regular_file(recipe) ? std::filesystem::absolute(recipe).string() : recipe;
}

void add_ranks(const Recording& recording, const RunOptions& options, const Environment& base, Environment& variables) {
  set(variables, recording::kRankTemplateVariable, recording.rank_template.string());
  set(variables, recording::kRankReportVariable, std::filesystem::absolute(recording.rank_report).string());
  set(variables, recording::kOwnPlaceVariable,
      amp::parallel::rank_identity_text([&](const char* name) { return find(base, name); }));
  if (!options.record_ranks.empty()) set(variables, recording::kRanksVariable, options.record_ranks);
}

}  // namespace

Environment own_environment() {
  Environment environment;
  for (char** entry = environ; *entry != nullptr; ++entry) environment.emplace_back(*entry);
  return environment;
}

Environment with_torch(const std::filesystem::path& lib, Environment base) {
  prepend(base, "LD_LIBRARY_PATH", lib.string());
  return base;
}

Environment recorder_variables(const Recording& recording, const RunOptions& options, const Program& program,
                               const Installation& installation, const Environment& base) {
  Environment variables;
  for (const auto& [name, value] : recording::variables_of(options_of(recording, options, program))) {
    set(variables, name, value);
  }
  set(variables, recording::kClaimVariable, recording.claim.string());
  set(variables, recording::kLibrariesVariable, installation.lib.string());
  set(variables, recording::kPythonVariable, installation.python_hooks().string());
  if (!recording.rank_template.empty()) add_ranks(recording, options, base, variables);
  // Another tool may already receive the program's NVTX ranges. That tool takes precedence.
  if (find(base, "NVTX_INJECTION64_PATH") == nullptr) {
    set(variables, "NVTX_INJECTION64_PATH", installation.preload_stub().string());
  }
  return variables;
}

Environment unrecorded_environment_of(const Recording& recording, const RunOptions& options, const Program& program,
                                      Environment base) {
  if (!recording.level.empty()) set(base, recording::kLevelVariable, recording.level);
  if (is_own(program.kind)) base = with_torch(program.torch_lib, std::move(base));
  if (recording.eager) set(base, "TORCH_COMPILE_DISABLE", "1");
  if (!options.type.empty()) set(base, "AMP_TYPE", options.type);
  if (!options.recipe.empty()) set(base, "AMP_RECIPE", path_or_name(options.recipe));
  if (!options.policy.empty()) set(base, "AMP_POLICY", std::filesystem::absolute(options.policy).string());
  const std::string scale = number_of_remedy(options.record.remedies, recording::kInitScale);
  if (!scale.empty()) set(base, "AMP_INIT_SCALE", scale);
  return base;
}

Environment environment_of(const Recording& recording, const RunOptions& options, const Program& program,
                           const Installation& installation, Environment base) {
  std::erase_if(base, [](const std::string& entry) { return entry.starts_with(recording::kVariablePrefix); });
  prepend(base, "LD_PRELOAD", installation.preload_stub().string());
  for (const std::string& variable : recorder_variables(recording, options, program, installation, base)) {
    const auto end_of_name = variable.find('=');
    set(base, variable.substr(0, end_of_name), variable.substr(end_of_name + 1));
  }
  return unrecorded_environment_of(recording, options, program, std::move(base));
}

}  // namespace ampprof::cli
