// SPDX-License-Identifier: Apache-2.0
#include "cli/launch/environment.h"

#include <fmt/format.h>

#include <algorithm>

extern char** environ;

namespace ampprof::cli {
namespace {

void set(Environment& environment, const std::string& name, const std::string& value) {
  std::erase_if(environment, [&](const std::string& entry) { return entry.starts_with(name + '='); });
  environment.push_back(name + '=' + value);
}

bool has(const Environment& environment, const std::string& name) {
  return std::ranges::any_of(environment, [&](const std::string& entry) { return entry.starts_with(name + '='); });
}

std::string value_of(const Environment& environment, const std::string& name) {
  const auto entry = std::ranges::find_if(environment, [&](const auto& each) { return each.starts_with(name + '='); });
  return entry == environment.end() ? "" : entry->substr(name.size() + 1);
}

// For lists of paths: ours first, then what was there.
void prepend(Environment& environment, const std::string& name, const std::string& value) {
  const std::string rest = value_of(environment, name);
  set(environment, name, rest.empty() ? value : value + ':' + rest);
}

template <class T>
void set_if(Environment& environment, const std::string& name, const std::optional<T>& value) {
  if (value) set(environment, name, fmt::format("{}", *value));
}

}  // namespace

Environment own_environment() {
  Environment environment;
  for (char** entry = environ; *entry != nullptr; ++entry) environment.emplace_back(*entry);
  return environment;
}

Environment environment_of(const Recording& recording, const RunOptions& options, const Program& program,
                           const Installation& installation, Environment base) {
  std::erase_if(base, [](const std::string& entry) { return entry.starts_with("AMPPROF_RECORD_"); });
  prepend(base, "LD_PRELOAD", installation.preload_stub().string());
  set(base, "AMPPROF_RECORD_REPORT", std::filesystem::absolute(recording.report).string());
  set(base, "AMPPROF_RECORD_RUN", std::to_string(recording.run));
  set(base, "AMPPROF_RECORD_CLAIM", recording.claim.string());
  set(base, "AMPPROF_RECORD_LIBRARY", installation.recorder().string());
  set(base, "AMPPROF_RECORD_PYTHON", installation.python_hooks().string());
  // Tells workers of a launcher that this run starts from one that starts this run.
  set(base, "AMPPROF_RECORD_LOCAL_RANK", value_of(base, "LOCAL_RANK"));
  set(base, "AMPPROF_RECORD_REFERENCE", options.reference);
  if (options.inherited.value_or(false)) set(base, "AMPPROF_RECORD_INHERITED", "1");
  if (options.impact.value_or(false)) set(base, "AMPPROF_RECORD_IMPACT", "1");
  set_if(base, "AMPPROF_RECORD_IMPACT_BYTES", options.impact_bytes);
  if (options.deep_every > 1) set(base, "AMPPROF_RECORD_DEEP_EVERY", std::to_string(options.deep_every));
  if (!options.what_if.empty()) set(base, "AMPPROF_RECORD_WHAT_IF", options.what_if);
  set_if(base, "AMPPROF_RECORD_ASSUME_SCALE", options.assume_scale);
  set_if(base, "AMPPROF_RECORD_LOSS_SCALE", options.loss_scale);
  if (!options.rerun.empty()) set(base, "AMPPROF_RECORD_RERUN", options.rerun);
  if (options.steps) set(base, "AMPPROF_RECORD_STEPS", to_text(*options.steps));
  set_if(base, "AMPPROF_RECORD_EVERY", options.every);
  set_if(base, "AMPPROF_RECORD_DELAY", options.delay);
  set_if(base, "AMPPROF_RECORD_DURATION", options.duration);
  set(base, "AMPPROF_RECORD_MAX_BYTES", std::to_string(recording.max_bytes));
  set_if(base, "AMPPROF_RECORD_SEED", options.seed);
  if (!recording.level.empty()) set(base, "AMP_OPT_LEVEL", recording.level);
  if (!options.policy.empty()) set(base, "AMP_POLICY", std::filesystem::absolute(options.policy).string());
  if (recording.level == "O1" && !program.has_amp_core) set(base, "AMPPROF_RECORD_INJECT", "O1");
  // Where another tool takes the ranges that the program marks, it keeps them.
  if (!has(base, "NVTX_INJECTION64_PATH")) {
    set(base, "NVTX_INJECTION64_PATH", installation.preload_stub().string());
  }
  return base;
}

}  // namespace ampprof::cli
