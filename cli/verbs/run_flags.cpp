// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/run_flags.h"

#include <fmt/format.h>

#include <algorithm>
#include <concepts>
#include <tuple>
#include <type_traits>

#include "amp_core/levels/reduced_type.h"
#include "analysis/ops/nearest.h"
#include "cli/launch/program/arguments.h"
#include "cli/launch/run/what_if.h"
#include "cli/verbs/flags.h"
#include "reports/recording/options.h"
#include "reports/recording/remedies.h"
#include "reports/records/run.h"
#include "reports/text/listed.h"
#include "reports/text/usage_error.h"

namespace ampprof::cli {
namespace {

using Record = recording::Options;

constexpr const char* kRecord = "What to record";
constexpr const char* kChange = "What to change";
constexpr const char* kExtent = "Where and how much";
constexpr const char* kRanks = "Ranks";
constexpr const char* kProbes = "Advice and probes";
constexpr const char* kModels = "Samples and TorchScript models";

constexpr const char* kSamples = "on for samples, else off";

/// The help of a flag.
struct FlagHelp {
  const char* group;       ///< heading above the flag in the help
  const char* value;       ///< placeholder of its value, "FILE"; "" for a switch
  const char* about;       ///< begins with a verb
  const char* usual = "";  ///< default as shown; "" for the default of the member
};

/// Properties that only some flags have.
struct FlagUse {
  CLI::Validator (*check)() = nullptr;              ///< rejects some numbers
  std::vector<std::string> (*choices)() = nullptr;  ///< possible values
  bool is_list = false;                             ///< allows several choices, separated by commas
  const char* what = "";                            ///< noun for a choice in errors, "a reference"; "": unchecked
  const char* alone = "";                           ///< value of the flag without "=VALUE"; "" if it is required
  bool has_negation = false;                        ///< also accepts --no-NAME
  bool is_for_own_recordings =
      false;  ///< a program that records itself may use it, although it sets a member of RunOptions
};

/// Describes one flag of `ampprof run`.
struct Flag {
  std::string_view names;  ///< "-o,--output"; variable_of(last name) is the environment variable
  FlagHelp help;
  CLI::Option* (*add)(CLI::App&, const Flag&, RunOptions&);
  void (*read)(RunOptions&, const std::string& text) = nullptr;  ///< parses values that add() cannot; throws UsageError
  FlagUse use = {};
  bool is_for_start = false;  ///< not for a program that records itself, because it has already started

  std::string name() const { return std::string(names.substr(names.rfind("--"))); }
  std::string about(std::string usual) const {
    if (*help.usual != '\0') usual = help.usual;
    return fmt::format("{} (default: {})", help.about, usual.empty() ? "none" : usual);
  }
};

template <class Owner, class Value>
constexpr bool is_of_run(Value Owner::*) {
  return std::same_as<Owner, RunOptions>;
}

template <class Owner, class Value>
Value& value_of(RunOptions& options, Value Owner::*member) {
  return std::get<Owner&>(std::tie(options, options.record, options.start)).*member;
}

CLI::Option* add_text(CLI::App& app, const Flag& flag, RunOptions&) {
  return app.add_option(std::string(flag.names))->description(flag.about(""));
}

template <auto Member>
CLI::Option* add(CLI::App& app, const Flag& flag, RunOptions& options) {
  auto& value = value_of(options, Member);
  using Value = std::remove_reference_t<decltype(value)>;
  const std::string names(flag.names);
  if constexpr (std::same_as<Value, bool>) {
    if (!flag.use.has_negation) return app.add_flag(names, value, flag.about("off"));
    const auto set = [&value](std::int64_t said) { value = said > 0; };
    return app.add_flag_function(fmt::format("{},!--no-{}", names, names.substr(2)), set, flag.about("off"));
  } else if constexpr (std::is_arithmetic_v<Value> || std::same_as<Value, std::string>) {
    const std::string about = flag.about(fmt::format("{}", value));
    if (*flag.use.alone == '\0') return app.add_option(names, value, about);
    return app.add_flag(fmt::format("{}{{{}}}", names, flag.use.alone), value, about);
  } else {
    return app.add_option(names, value, flag.about(""));
  }
}

/// Makes a row. `Read` parses the flag's value after the whole command line is parsed. Direct members of RunOptions
/// configure the start of the program.
template <auto Member, auto Read = nullptr>
constexpr Flag flag(std::string_view names, const FlagHelp& help, const FlagUse& use = {}) {
  const bool is_for_start = is_of_run(Member) && !use.is_for_own_recordings;
  if constexpr (std::is_null_pointer_v<decltype(Read)>) {
    return {names, help, add<Member>, nullptr, use, is_for_start};
  } else {
    const auto read = [](RunOptions& options, const std::string& text) { value_of(options, Member) = Read(text); };
    return {names, help, add_text, read, use, is_for_start};
  }
}

/// Makes the row for a member of recording::Options. The flag is named after the member's environment variable.
template <auto Member, auto Read = nullptr>
constexpr Flag flag(const FlagHelp& help, const FlagUse& use = {}) {
  return flag<Member, Read>(recording::flag_of(Member), help, use);
}

template <auto Member>
std::int64_t bytes_from(const std::string& text) {
  return size_from(recording::flag_of(Member), text);
}

double delay_from(const std::string& text) { return seconds_from("--delay", text, true); }

double duration_from(const std::string& text) { return seconds_from("--duration", text); }

double probe_budget_from(const std::string& text) { return seconds_from("--probe-budget", text); }

recording::ReferenceMode reference_from(const std::string& text) { return recording::reference_named(text).value(); }

void read_steps(RunOptions& options, const std::string& text) {
  const StepRange steps = steps_from(text);
  options.record.first_step = steps.first;
  options.record.last_step = steps.last;
}

std::vector<std::string> stops() { return {recording::kNonfiniteUpdate}; }

CLI::Validator up_to_1000() { return CLI::Validator(CLI::Range(1, 1000)).description(""); }

std::vector<std::string> eager_runs() { return {"only", "both"}; }

std::vector<std::string> remedy_forms() {
  std::vector<std::string> forms;
  for (const recording::RemedyWord& word : recording::kRemedyWords) {
    forms.push_back(std::string(word.name) + (word.value == recording::RemedyWord::Value::None ? "" : "="));
  }
  return forms;
}

// To add a flag, add a row and the member that it sets.
constexpr Flag kFlags[] = {
    flag<&Record::reference, reference_from>(
        {kRecord, "TYPE", "measure errors against fp32 or fp64; off records shapes and times only", "fp32"},
        {.choices = recording::reference_names, .what = "a reference"}),
    flag<&Record::inherited>({kRecord, "",
                              "also measure accumulated error: each op's output against a shadow, which runs the whole "
                              "step without rounding",
                              kSamples},
                             {.has_negation = true}),
    flag<&Record::impact>({kRecord, "", "also measure loss impact: what each op's error does to the loss", kSamples},
                          {.has_negation = true}),
    flag<&Record::what_if>(
        {kRecord, "TYPE",
         "predict the effect of a lower precision without changing the program: one type for every op (fp16, bf16, "
         "tf32), or a comma-separated list of FP8 and FP4 recipes for matmuls (fp8_current, mxfp8, nvfp4, "
         "..., a recipe file)"},
        {.choices = what_if_names, .is_list = true}),
    flag<&Record::assume_scale>({kRecord, "S", "assume this loss scale in the backward pass of --what-if with a type"},
                                {.check = positive}),
    flag<&Record::screen>({kRecord, "RECIPES",
                           "measure what the operands of matmuls would lose under a comma-separated list of recipes, "
                           "without the effect on "
                           "the loss: a quick look at many recipes in one run"},
                          {.choices = what_if_names, .is_list = true}),
    flag<&Record::loss_scale>(
        {kRecord, "S", "state the loss scale that your program applies itself; ampprof divides loss impacts by it",
         "detected"},
        {.check = positive}),
    flag<&Record::rerun, recording::parts_of>(
        {kRecord, "OPS",
         "allow ampprof to run these ops of extensions twice to measure their errors, such as myops::scale,other:: "
         "(ops of LibTorch are always measured)"}),
    flag<&Record::sketch>(
        {kRecord, "",
         "record a sketch of each call's outputs, for diff --first, and of all-reduces, for show collectives"}),

    flag<&RunOptions::levels, levels_from>(
        "--levels",
        {kChange, "LEVELS",
         "run the program once per opt level of this list, such as O0,O1; O2 and O3 need amp_core or Apex",
         "the program decides"},
        {.choices = opt_levels, .is_list = true}),
    flag<&RunOptions::type>(
        "--type", {kChange, "TYPE", "use this reduced type at O1 to O3: fp16 or bf16", "the program's type, else fp16"},
        {.choices = amp::reduced_type_names, .what = "a reduced type of O1 to O3"}),
    flag<&RunOptions::recipe>(
        "--recipe",
        {kChange, "RECIPE", "round the operands of matmuls as an FP8 or FP4 recipe does: a name, or a recipe file"}),
    flag<&RunOptions::policy>(
        "--policy",
        {kChange, "FILE",
         "override, with a policy file, the types that functions run in at O1 or under the program's own autocast"}),
    flag<&RunOptions::eager>(
        "--eager",
        {kChange, "",
         "disable torch.compile so that every op is visible; --eager=both records the compiled and the eager run",
         "off"},
        {.choices = eager_runs, .what = "a choice of runs", .alone = "only"}),
    flag<&Record::remedies, remedies_from>({kChange, "REMEDIES",
                                            "apply a comma-separated list of remedies to a Python program: "
                                            "init_scale=N, no_scale_growth, loss_scale=N, eps=N, "
                                            "master_weights, fp32_module=NAME, no_cast_cache, unscale_before_clip"},
                                           {.choices = remedy_forms, .is_list = true}),
    flag<&RunStart::seed>("--seed", {kChange, "N", "seed the random number generators of every run"}),

    flag<&RunOptions::output>(
        "-o,--output",
        {kExtent, "FILE",
         "write the report to this file; %p, %h and %r stand for the process id, the host and the rank",
         "ampprof-<n>.ampprof"},
        {.is_for_own_recordings = true}),
    flag<&RunOptions::replace>("--force", {kExtent, "", "replace an existing report"}, {.is_for_own_recordings = true}),
    flag<&RunOptions::repeat>("--repeat", {kExtent, "N", "run each level N times, to measure the noise"},
                              {.check = up_to_1000}),
    {"--steps",
     {kExtent, "A:B", "record steps A to B only, both included, counting from 1", "all"},
     add_text,
     read_steps},
    flag<&Record::every>({kExtent, "N", "record every Nth step only"}, {.check = positive}),
    flag<&Record::delay, delay_from>({kExtent, "TIME", "begin to record after this time, such as 90s or 5m", "0"}),
    flag<&Record::duration, duration_from>({kExtent, "TIME", "record for this time, such as 90s or 5m", "to the end"}),
    flag<&Record::overhead, overhead_from>({kExtent, "P%",
                                            "keep ampprof's own time below this share of the program's time, such as "
                                            "5%, by recording fewer steps; off records everything in every step",
                                            "every step for 30 seconds, then 25%; step impact, updates of weights and "
                                            "ranges of FP32 outputs in the first 16 steps, then in 1 of 17 steps"}),
    flag<&Record::ring>(
        {kExtent, "N",
         "keep the last N steps in memory and write them when something happens: NaN or inf, a failure of the program, "
         "SIGRTMIN+9, or ampprof ctl REPORT dump",
         "write all steps"},
        {.check = positive}),
    flag<&Record::max_bytes, bytes_from<&Record::max_bytes>>(
        {kExtent, "SIZE",
         "limit the report to this size, such as 500M, by dropping details of the oldest steps; totals and events are "
         "kept",
         "1GiB"}),
    flag<&Record::stop_on>(
        {kExtent, "WHAT",
         "end the program after nonfinite-update, the first update that makes a weight NaN or inf; this checks all "
         "weights after each update",
         "never"},
        {.choices = stops, .what = "an event to stop at"}),
    flag<&RunOptions::on_event>("--on-event",
                                {kExtent, "CMD",
                                 "run this shell command while the program runs: at the first overflow, at each new "
                                 "finding, and when a --gate first fails; ampprof waits for the command at the end; {} "
                                 "stands for the report, and $AMPPROF_EVENT says what happened"}),
    flag<&RunOptions::gates>("--gate",
                             {kExtent, "RULE",
                              "run the command of --on-event when this rule fails, such as 'overflows <= 3'; ampprof "
                              "judges it while the program runs, so it must hold from the start; repeatable"}),
    flag<&Record::impact_bytes, bytes_from<&Record::impact_bytes>>(
        {kExtent, "SIZE",
         "limit the memory for errors that are kept until the backward pass; beyond the limit, ampprof samples call "
         "sites",
         "1GiB"}),

    flag<&RunOptions::ranks>(
        "--ranks",
        {kRanks, "N", "start N processes of the program on this machine with torchrun, and record each rank",
         "once, without torchrun"},
        {.check = positive}),
    flag<&RunOptions::record_ranks, record_ranks_from>(
        "--record-ranks",
        {kRanks, "LIST",
         "record only these ranks of a distributed program, such as 0,1,8:16:4; the other ranks run without overhead",
         "all"}),
    flag<&Record::check_ranks>(
        {kRanks, "N",
         "compare the parameters of all ranks in every Nth step; ampprof show ranks names the ranks that differ",
         "never"},
        {.check = positive}),

    flag<&RunStart::target_gpu>("--target-gpu", {kProbes, "GPU",
                                                 "judge Tensor Core rules for this GPU if the program uses no GPU: a "
                                                 "compute capability (sm_80) or a model (A100)"}),
    flag<&RunOptions::probe>(
        "--probe",
        {kProbes, "",
         "time each matmul and convolution on the GPU after the runs: as it ran, padded, and in other types"}),
    flag<&RunOptions::probe_budget, probe_budget_from>(
        "--probe-budget", {kProbes, "TIME", "spend at most this time on --probe, such as 90s or 5m", "60s"}),

    flag<&RunOptions::inputs>(
        "--input", {kModels, "SPEC",
                    "feed a tensor of this type and shape to a TorchScript model, such as f32[8,3,32,32]; repeatable"}),
    flag<&RunOptions::train>("--train",
                             {kModels, "", "train a TorchScript model: add a loss, a backward pass and an optimizer"}),
    flag<&RunOptions::torch>("--torch", {kModels, "VERSION",
                                         "run a sample or a TorchScript model with this version of LibTorch; ampprof "
                                         "doctor lists the installed versions",
                                         "the first version that ampprof was built for"}),
};

void check_word(const Flag& flag, const std::string& word) {
  if (*flag.use.what == '\0') return;
  const std::vector<std::string> known = flag.use.choices();
  if (std::ranges::find(known, word) != known.end()) return;
  throw text::UsageError(fmt::format("{}: '{}' is not {}.{} Use one of {}.", flag.name(), word, flag.use.what,
                                     analysis::did_you_mean(word, known), text::listed(known)));
}

CLI::Option* add_row(CLI::App& app, const Flag& flag, RunOptions& options) {
  CLI::Option* option = flag.add(app, flag, options)->envname(variable_of(flag.name()));
  if (*flag.help.value != '\0') option->type_name(flag.help.value)->allow_extra_args(false);
  if (flag.use.check != nullptr) option->check(flag.use.check());
  if (flag.use.choices != nullptr) one_of(option, flag.use.choices(), flag.use.is_list);
  return option;
}

/// Returns a flag with its value as one argument: "--impact", "--no-impact", "--levels=O0,O1".
std::string word_of(const Flag& flag, const CLI::Option& option, const std::string& value) {
  const bool is_switch = option.get_expected_max() == 0 && *flag.use.alone == '\0';
  if (!is_switch) return flag.name() + '=' + value;
  return value == "false" || value == "-1" ? "--no-" + flag.name().substr(2) : flag.name();
}

}  // namespace

void add_run_flags(CLI::App& app, RunOptions& options, FlagsOf of) {
  for (const Flag& flag : kFlags) {
    if (of == FlagsOf::Run || !flag.is_for_start) add_row(app, flag, options)->group(flag.help.group);
  }
}

CLI::Option* add_run_flag(CLI::App& app, std::string_view name, RunOptions& options, const std::string& about) {
  CLI::Option* option = add_row(app, *std::ranges::find(kFlags, name, &Flag::name), options);
  return about.empty() ? option : option->description(about);
}

void read_run_flags(const CLI::App& app, RunOptions& options) {
  for (const Flag& flag : kFlags) {
    const CLI::Option* option = app.get_option_no_throw(flag.name());
    if (option == nullptr || option->empty() || option->results().front().empty()) continue;
    options.given.insert(flag.name());
    for (const std::string& value : option->results()) options.flags.push_back(word_of(flag, *option, value));
    check_word(flag, option->results().front());
    if (flag.read != nullptr) flag.read(options, option->results().front());
  }
}

}  // namespace ampprof::cli
