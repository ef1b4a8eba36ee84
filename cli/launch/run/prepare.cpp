// SPDX-License-Identifier: Apache-2.0
#include "cli/launch/run/prepare.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>

#include "amp_core/levels/level.h"
#include "analysis/ops/nearest.h"
#include "cli/launch/program/arguments.h"
#include "cli/launch/program/torch_version.h"
#include "cli/launch/run/policy_file.h"
#include "cli/launch/run/what_if.h"
#include "precision/gpu/device_caps.h"
#include "reports/recording/options.h"
#include "reports/recording/rank_list.h"
#include "reports/recording/remedies.h"
#include "reports/store/create.h"
#include "reports/store/report_error.h"
#include "reports/text/shell_text.h"
#include "reports/text/usage_error.h"
#include "reports/version/version.h"

namespace ampprof::cli {
namespace {

namespace fs = std::filesystem;

fs::path report_path(const RunOptions& options) {
  if (!options.output.empty()) return expanded_report_name(options.output);
  for (int n = 1;; ++n) {
    fs::path path = fmt::format("ampprof-{}.ampprof", n);
    std::error_code ignored;
    if (!fs::exists(path, ignored)) return path;
  }
}

std::string now() { return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr))); }

}  // namespace

RunOptions with_defaults_of(RunOptions options, const Program& program) {
  constexpr std::int64_t kDeepSteps = 50;
  const bool has_recipes = asks_for_recipes(options);
  recording::Options& record = options.record;
  const bool shows_all = program.kind == ProgramKind::Sample && record.reference != recording::ReferenceMode::Off &&
                         record.what_if.empty() && !options.gives("--inherited") && !options.gives("--impact") &&
                         !has_recipes;
  if (shows_all) {
    record.inherited = !runs_in_recipe(options);
    record.impact = true;
    if (!record.overhead) record.overhead = recording::kEverything;
  }
  if (!record.what_if.empty() && has_recipes) record.impact = true;
  const bool all_steps = !options.gives("--steps") && !options.gives("--every");
  if ((shows_all || has_recipes) && all_steps && program.steps) {
    record.deep_every = std::max<std::int64_t>(*program.steps / kDeepSteps, 1);
  }
  record.screen = with_whole_paths(record.screen);
  return options;
}

void check_installation(const Installation& installation, const std::string& torch) {
  const std::string version = version_or_default(torch, installation);
  for (const fs::path& library : {installation.for_torch(version).recorder(), installation.preload_stub()}) {
    if (!fs::exists(library)) {
      throw text::UsageError(
          fmt::format("{} is missing, so nothing can be recorded. Build ampprof with LibTorch, or reinstall "
                      "it. See: ampprof doctor",
                      library.string()));
    }
  }
}

void check_preload(const fs::path& stub) {
  if (stub.string().find_first_of(" \t:") == std::string::npos) return;
  throw text::UsageError(
      fmt::format("'{}' cannot be in LD_PRELOAD, because its path has a space or a colon. Move ampprof to a directory "
                  "whose path has none.",
                  stub.string()));
}

void check_record_ranks(const RunOptions& options, const Program& program) {
  if (options.record_ranks.empty() || options.record_ranks == recording::kAllRanks) return;
  const bool remedied = !options.record.remedies.empty();
  const bool injects =
      remedied || (!program.has_amp_core && (!options.policy.empty() || !options.recipe.empty() ||
                                             std::ranges::any_of(options.levels, amp::patches_functions)));
  const char* injected = remedied                  ? "--remedy"
                         : !options.policy.empty() ? "--policy"
                         : !options.recipe.empty() ? "--recipe"
                                                   : "--levels";
  const char* flag = options.start.seed ? "--seed" : injects ? injected : nullptr;
  if (flag == nullptr) return;
  throw text::UsageError(fmt::format(
      "{} changes each recorded process, and the ranks that --record-ranks leaves out would run without the change. "
      "Remove {}, or use --record-ranks all.",
      flag, flag));
}

void check_remedies(const RunOptions& options, const Program& program) {
  const std::vector<std::string>& remedies = options.record.remedies;
  const bool is_binary = program.kind == ProgramKind::Executable || is_own(program.kind);
  if (remedies.empty() || !is_binary) return;
  if (program.has_amp_core && remedies.size() == 1 && !number_of_remedy(remedies, recording::kInitScale).empty())
    return;
  throw text::UsageError(program.has_amp_core
                             ? "--remedy can only change the initial loss scale of a program on amp_core: "
                               "init_scale=N. Make other changes in its source."
                             : "--remedy can only change Python programs, and the loss scale of programs on amp_core. "
                               "This program is neither. Change its source.");
}

void check_target_gpu(const std::string& name) {
  if (gpu::device_caps(name)) return;
  std::vector<std::string> models;
  for (const gpu::DeviceCaps& caps : gpu::known_models()) models.push_back(caps.name);
  throw text::UsageError(fmt::format(
      "--target-gpu: Unknown GPU '{}'.{} Use a model name, such as A100 or T4, or a compute capability, such "
      "as sm_90.",
      name, analysis::did_you_mean(name, models)));
}

fs::path new_report(const RunOptions& options) {
  fs::path path = report_path(options);
  try {
    store::create_report(path, options.replace);
  } catch (const store::ReportError& error) {
    throw text::UsageError(error.what());
  }
  return path;
}

store::TemporaryFolder temporary_folder() {
  try {
    return store::TemporaryFolder();
  } catch (const fs::filesystem_error& error) {
    throw text::UsageError(fmt::format(
        "Cannot create a temporary directory in {}. Free some space there, or set TMPDIR.", error.path1().string()));
  }
}

std::vector<RunStart> starts_of(const RunOptions& options, const std::string& program) {
  std::vector<RunStart> starts;
  RunOptions one = options;
  for (const std::string& course : courses_of(options.record.what_if)) {
    one.record.what_if = course;
    starts.push_back(start_of(one, program));
  }
  return starts;
}

RunStart start_of(const RunOptions& options, const std::string& program) {
  const recording::Options& record = options.record;
  RunStart start = options.start;
  start.program = program;
  start.started_at = now();
  start.reference = recording::name_of(record.reference);
  start.what_if = name_of_what_if(record.what_if);
  if (!record.what_if.empty() && !asks_for_recipes(options)) start.assume_scale = record.assume_scale;
  if (record.check_ranks > 0) start.check_ranks = record.check_ranks;
  start.ampprof_version = version::number();
  start.ampprof_commit = version::commit();
  start.flags = text::shell_text(options.flags);
  std::error_code gone;
  start.folder = fs::current_path(gone).string();
  return start;
}

}  // namespace ampprof::cli
