// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "amp_core/levels/level.h"
#include "cli/launch/launch.h"
#include "cli/launch/program/exit_code.h"
#include "cli/launch/program/torchscript_file.h"
#include "cli/launch/run/what_if.h"
#include "cli/verbs/flags.h"
#include "cli/verbs/run_options.h"
#include "reports/text/usage_error.h"
#include "views/ops/views.h"

namespace ampprof::cli {
namespace {

/// Options as text, before their sentences are checked.
struct RunFlags {
  RunOptions options;
  std::string levels;
  std::string steps;
  std::string max_report;
  std::string impact_memory;
  std::string record_ranks;
};

const std::vector<std::string> kEagerRuns{"only", "both"};
const std::vector<std::string> kReferences{"fp32", "fp64", "off"};
constexpr const char* kFooter = R"(
PROGRAM is an executable, `python script.py`, `sample:NAME`, or a TorchScript
model (`model.pt --input f32[8,3,32,32]`). Every flag is also AMPPROF_<FLAG> in
the environment.

Example:
  ampprof run --levels O0,O1,O2,O3 -o digits.ampprof sample:mnist_cnn)";

// A check without its own words in the help.
template <class Check>
CLI::Validator quiet(const Check& check) {
  return CLI::Validator(check).description("");
}

void add_report(CLI::App& app, RunOptions& options) {
  add_option(app, "-o,--output", options.output,
             "report to write (default ampprof-<n>.ampprof; %p %h %r are process, host and rank)")
      ->type_name("FILE");
  add_flag(app, "--force", options.replace, "replace an existing report");
}

void add_seed(CLI::App& app, RunOptions& options) {
  add_option(app, "--seed", options.seed, "seed of the random numbers of every run")->type_name("N");
}

void add_what_to_run(CLI::App& app, RunFlags& flags) {
  RunOptions& options = flags.options;
  one_of(add_option(app, "--levels", flags.levels, "one run per opt level, as in O0,O1,O2,O3"), opt_levels(), true)
      ->type_name("LEVELS");
  one_of(add_option(app, "--type", options.type, "what O1 to O3 compute in"), amp::reduced_type_names())
      ->type_name("TYPE");
  add_option(app, "--recipe", options.recipe,
             "run matmuls with operands rounded as in a recipe of FP8 or FP4: a name, or a recipe file")
      ->type_name("RECIPE");
  add_option(app, "--policy", options.policy,
             "functions to run in another type than O1 or the program's own autocast would: a policy file")
      ->type_name("FILE");
  add_flag_or_value(app, "--eager", "only", options.eager,
                    "run the program without torch.compile, with all of its ops; --eager=both adds such a run",
                    kEagerRuns);
  add_option(app, "--repeat", options.repeat, "runs per level, to see the noise")
      ->check(quiet(CLI::Range(1, 1000)))
      ->type_name("N");
  add_seed(app, options);
  add_model_and_torch(app, options);
}

void add_what_to_record(CLI::App& app, RunFlags& flags) {
  RunOptions& options = flags.options;
  add_option(app, "--steps", flags.steps, "record steps A to B only; they count from 1")->type_name("A:B");
  add_option(app, "--every", options.every, "record every Nth step only")->check(positive())->type_name("N");
  add_option(app, "--delay", options.delay, "begin to record after S seconds")
      ->check(quiet(CLI::NonNegativeNumber))
      ->type_name("S");
  add_option(app, "--duration", options.duration, "record for S seconds")->check(positive())->type_name("S");
  add_option(app, "--max-report", flags.max_report, "keep totals only from this size on, as in 500M (default 1GiB)")
      ->type_name("SIZE");
}

void add_ranks(CLI::App& app, RunFlags& flags) {
  add_option(app, "--ranks", flags.options.ranks,
             "start the program N times on this machine, with torchrun, and record each rank")
      ->check(positive())
      ->type_name("N");
  add_option(app, "--record-ranks", flags.record_ranks,
             "of a distributed program record these ranks, as in 0,1,8:16:4 (default all); the others pay nothing")
      ->type_name("LIST");
}

void add_check_ranks(CLI::App& app, RunOptions& options) {
  add_option(app, "--check-ranks", options.check_ranks,
             "check in every Nth step that ranks hold the same parameters; ampprof show ranks says which do not")
      ->check(positive())
      ->type_name("N");
}

void add_what_to_learn(CLI::App& app, RunFlags& flags) {
  RunOptions& options = flags.options;
  one_of(add_option(app, "--reference", options.reference,
                    "fp32 (default) or fp64: what errors are measured against; off: shapes and times only"),
         kReferences)
      ->type_name("TYPE");
  add_choice(app, "--inherited", options.inherited,
             "add each op's error since the start of the step, measured against a shadow that nothing rounds");
  add_choice(app, "--impact", options.impact, "add what each op's error does to the loss");
  add_option(app, "--loss-scale", options.loss_scale,
             "what the program multiplies its losses by itself: loss impacts are divided by it")
      ->check(positive())
      ->type_name("S");
  add_option(app, "--rerun", options.rerun,
             "ops of extensions that may be run again to be measured: myops::scale,other:: (LibTorch's own always are)")
      ->type_name("OPS");
  add_flag(app, "--sketch", options.sketch,
           "leave a sketch of each call's outputs, for diff --first, and of all-reduces, for show collectives");
  add_option(app, "--impact-memory", flags.impact_memory,
             "memory for errors that wait for the backward pass (default 1GiB); beyond it call sites are sampled")
      ->type_name("SIZE");
  one_of(add_option(app, "--what-if", options.what_if,
                    "run the program as it is, and judge each op as if it had this type (fp16, bf16, tf32), or its "
                    "matmuls under recipes by commas (fp8_current, mxfp8, nvfp4, ..., a recipe file), all beside one run"),
         what_if_names(), true)
      ->type_name("TYPE");
  one_of(add_option(app, "--screen", options.screen,
                    "measure what recipes by commas would lose in matmuls' operands, all in one run: for a first look"),
         what_if_names(), true)
      ->type_name("RECIPES");
  add_option(app, "--assume-scale", options.assume_scale,
             "loss scale that --what-if judges the backward pass at (default 65536)")
      ->check(positive())
      ->type_name("S");
  add_option(app, "--target-gpu", options.target_gpu, "GPU that Tensor Core rules speak of: sm_90 (default), A100, ...")
      ->type_name("GPU");
}

void add_what_to_time(CLI::App& app, RunFlags& flags) {
  RunOptions& options = flags.options;
  add_flag(app, "--probe", options.probe,
           "when the runs have ended, time each GEMM and convolution on the GPU: as it ran, padded, in other types");
  add_option(app, "--probe-budget", options.probe_budget, "seconds that --probe may take (default 60)")
      ->check(positive())
      ->type_name("S");
}

void add_flags(CLI::App& app, RunFlags& flags) {
  add_report(app, flags.options);
  add_what_to_run(app, flags);
  add_what_to_record(app, flags);
  add_ranks(app, flags);
  add_check_ranks(app, flags.options);
  add_what_to_learn(app, flags);
  add_what_to_time(app, flags);
}

void check_what_to_learn(const RunOptions& options) {
  check_one_of("--reference", options.reference, kReferences, "a reference");
  if (!options.eager.empty()) check_one_of("--eager", options.eager, kEagerRuns, "a choice of runs");
  const bool deep = options.inherited.value_or(false) || options.impact.value_or(false);
  if (deep && options.reference == "off") {
    throw text::UsageError(
        "--inherited and --impact measure errors, and --reference off measures none. Leave one of them out.");
  }
  check_what_if(options);
}

// Reads one command line; whatever follows the first word that is no flag is the program's. False if help was printed.
bool read(const Arguments& arguments, RunFlags& flags) {
  CLI::App app("Runs a program and records what each op loses in reduced precision.", "ampprof run");
  set_usage(app, "ampprof run [OPTIONS] [--] PROGRAM [ARGS...]");
  app.footer(kFooter);
  app.prefix_command();
  add_flags(app, flags);
  if (!parse(app, arguments)) return false;
  flags.options.command = program_behind(app);
  return true;
}

// A model takes no arguments, so flags of ours may follow it: they are read as if they came before.
bool read_all(const Arguments& arguments, RunFlags& flags) {
  if (!read(arguments, flags)) return false;
  const Arguments command = flags.options.command;
  if (command.size() == 1 || !looks_like_model(command.front())) return true;
  Arguments moved(arguments.begin(), arguments.end() - static_cast<std::ptrdiff_t>(command.size()));
  if (!moved.empty() && moved.back() == "--") moved.pop_back();
  moved.insert(moved.end(), command.begin() + 1, command.end());
  moved.push_back(command.front());
  flags = {};
  if (!read(moved, flags)) return false;
  if (flags.options.command.size() > 1) {
    throw text::UsageError(fmt::format("A TorchScript model takes no argument '{}'.", flags.options.command.front()));
  }
  return true;
}

RunOptions options_from(const RunFlags& flags) {
  RunOptions options = flags.options;
  if (!flags.levels.empty()) options.levels = levels_from(flags.levels);
  if (!flags.steps.empty()) options.steps = steps_from(flags.steps);
  if (!flags.record_ranks.empty()) options.record_ranks = record_ranks_from(flags.record_ranks);
  if (!flags.impact_memory.empty()) options.impact_bytes = size_from("--impact-memory", flags.impact_memory);
  if (!flags.max_report.empty()) options.max_bytes = size_from("--max-report", flags.max_report);
  for (const std::string& input : options.inputs) input_from(input);
  check_type(options.type);
  check_what_to_learn(options);
  if (options.probe_budget && !options.probe) {
    throw text::UsageError("--probe-budget is how long --probe may take. Add --probe.");
  }
  return options;
}

}  // namespace

std::optional<RunOptions> run_options_from(const Arguments& arguments) {
  RunFlags flags;
  if (!read_all(arguments, flags)) return std::nullopt;
  return options_from(flags);
}

std::optional<RunOptions> own_recording_options_from(const Arguments& arguments) {
  RunFlags flags;
  CLI::App app("", "ampprof run");
  add_report(app, flags.options);
  add_seed(app, flags.options);
  add_what_to_record(app, flags);
  add_check_ranks(app, flags.options);
  add_what_to_learn(app, flags);
  if (!parse(app, arguments)) return std::nullopt;
  return options_from(flags);
}

int run_verb(const Arguments& arguments, const Installation& installation) {
  const auto options = run_options_from(arguments);
  return options ? launch(*options, installation) : kFine;
}

}  // namespace ampprof::cli
