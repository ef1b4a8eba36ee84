// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "amp_core/levels/error.h"
#include "amp_core/levels/level.h"
#include "analysis/diagnosis/advised_run.h"
#include "analysis/diagnosis/diagnose.h"
#include "analysis/ops/nearest.h"
#include "analysis/ranks/report_rows.h"
#include "analysis/recipes/recipe_evidence.h"
#include "cli/launch/confirm/confirm_findings.h"
#include "cli/launch/program/exit_code.h"
#include "cli/verbs/flags.h"
#include "precision/advice/code.h"
#include "precision/advice/policy_evaluation.h"
#include "precision/advice/recipes/format_rules.h"
#include "precision/formats/recipes/recipe_error.h"
#include "reports/queries/confirmations.h"
#include "reports/queries/missing.h"
#include "reports/queries/recipes.h"
#include "reports/queries/run_names.h"
#include "reports/queries/runs.h"
#include "reports/text/listed.h"
#include "reports/text/usage_error.h"
#include "reports/text/write_file.h"
#include "views/diagnosis/advice.h"
#include "views/diagnosis/missing.h"
#include "views/ops/views.h"
#include "views/recipes/recipe_advice.h"
#include "views/table/view.h"

namespace ampprof::cli {
namespace {

constexpr const char* kFooter = R"(
Says what is wrong and what to do about it, the costliest first. Then registers
what overflows, and the fewest functions that bring the predicted
change of the loss down to the target. -o writes a policy for ampprof run
--policy and amp::load_policy.

Of a report that ampprof run --what-if RECIPE,... wrote: the format of each
matmul of each layer in which a step takes least time, as long as it does little
to the loss and to what a step gains.

Examples:
  ampprof advise digits.ampprof --confirm
  ampprof advise digits.ampprof -o digits.amp
  ampprof advise recipes.ampprof --target-gpu B200 --code te > formats.py)";

struct AdviseFlags {
  std::string report;
  std::string format = "table";
  std::string output;
  std::string code;
  std::optional<std::string> run;
  bool force = false;
  bool confirm = false;
  std::string only;
  bool fused_copies = false;
  advice::Options options;
  advice::RecipeOptions recipes;
  std::string target_gpu;
};

constexpr const char* kTransformerEngine = "te";

struct Language {
  const char* name;
  std::string (*print)(const advice::Advice&);
};

constexpr Language kLanguages[] = {{"cpp", advice::cpp_code},
                                   {"apex", advice::apex_code},
                                   {"torch", advice::torch_code},
                                   {"libtorch", advice::libtorch_code}};

bool read(const Arguments& arguments, AdviseFlags& flags) {
  CLI::App app("Says what is wrong, what to do, and which functions to register as FP32.", "ampprof advise");
  set_usage(app, "ampprof advise REPORT [OPTIONS]");
  app.footer(kFooter);
  app.add_option("REPORT", flags.report, "the file that ampprof run wrote")->required();
  add_format(app, flags.format);
  one_of(add_option(app, "--run", flags.run, "the run: its id or its level (default: the first with reduced types)"),
         opt_levels())
      ->type_name("ID|LEVEL");
  add_flag(app, "--confirm", flags.confirm,
           "run the program again with each remedy that needs no change of its source, and say what became of the "
           "finding");
  add_option(app, "--only", flags.only, "confirm this remedy alone: init_scale=1024, or the line of a policy")
      ->needs("--confirm")
      ->type_name("REMEDY");
  add_option(app, "-o,--output", flags.output, "write a policy file")->type_name("FILE");
  add_flag(app, "--force", flags.force, "replace the policy file");
  one_of(add_option(app, "--code", flags.code,
                    "print them as code: cpp and apex register functions, torch and libtorch guard them "
                    "from autocast; te is a factory of formats for Transformer Engine"),
         {"cpp", "apex", "torch", "libtorch", kTransformerEngine})
      ->type_name("LANGUAGE");
  add_option(app, "--target", flags.options.target_share, "share of the predicted change of the loss that may remain")
      ->check(CLI::Validator(CLI::Range(0.0, 1.0)).description(""))
      ->type_name("SHARE");
  add_option(app, "--tolerance", flags.options.tolerance,
             "change of the loss that needs nothing done (default: a thousandth of it), or that formats may make (a "
             "hundredth)")
      ->check(CLI::Validator(CLI::NonNegativeNumber).description(""))
      ->type_name("LOSS");
  add_option(app, "--gradient-tolerance", flags.recipes.gradient_share,
             "share of a step's decrease of the loss that formats may cost")
      ->check(CLI::Validator(CLI::Range(0.0, 1.0)).description(""))
      ->type_name("SHARE");
  add_flag(app, "--each-layer", flags.recipes.each_layer, "like layers need not share their formats");
  add_flag(app, "--fused-copies", flags.fused_copies, "rounded copies of operands take no time");
  add_option(app, "--target-gpu", flags.target_gpu, "GPU that formats are for (default: the run's, or B200)")
      ->type_name("GPU");
  if (!parse(app, arguments)) return false;
  check_gpu(flags.target_gpu);
  return true;
}

const Language* language_of(const std::string& name) {
  if (name.empty() || name == kTransformerEngine) return nullptr;
  std::vector<std::string> names;
  for (const Language& language : kLanguages) {
    if (language.name == name) return &language;
    names.emplace_back(language.name);
  }
  names.emplace_back(kTransformerEngine);
  throw text::UsageError(fmt::format("--code: '{}' is not a language.{} Languages are {}.", name,
                                     analysis::did_you_mean(name, names), text::listed(names)));
}

queries::RunRow run_of(const AdviseFlags& flags, const std::vector<queries::RunRow>& runs) {
  if (!flags.run) {
    if (const auto run = analysis::run_to_advise(runs)) return *run;
    throw text::UsageError(fmt::format("{}; or choose another run with --run.", views::no_run_to_advise(runs)));
  }
  for (const queries::RunRow& run : runs) {
    if (queries::names_run(*flags.run, run.run, run.level)) return run;
  }
  throw text::UsageError(
      fmt::format("--run: the report has no run '{}'. See: ampprof show {} runs", *flags.run, flags.report));
}

void write_policy(const AdviseFlags& flags, const std::string& policy, bool has_own_autocast) {
  if (!flags.force && std::filesystem::exists(flags.output)) {
    throw text::UsageError(
        fmt::format("{} exists already. Choose another name with -o, or add --force.", flags.output));
  }
  text::write_file(flags.output, policy);
  const std::string levels = has_own_autocast ? "" : "--levels O0,O1 ";
  fmt::print(stderr, "ampprof: wrote {}. Try it: ampprof run {}--policy {} PROGRAM\n", flags.output, levels,
             flags.output);
}

/// Returns the effects of recipes, for the requested run or all. Returns nothing if the report has none.
std::vector<queries::RecipeMatmulRow> recipe_rows(const AdviseFlags& flags, const queries::Report& report,
                                                  const std::vector<queries::RunRow>& runs) {
  auto rows = flags.run ? recipe_matmuls(report, run_of(flags, runs).run) : recipe_matmuls(report);
  if (!analysis::has_recipe_impacts(rows)) rows.clear();
  return rows;
}

advice::RecipeAdvice advice_of(const std::vector<queries::RecipeMatmulRow>& rows, const AdviseFlags& flags,
                               const queries::Report& report, const std::vector<queries::RunRow>& runs,
                               const queries::RunRow& run) {
  const gpu::PeakRates gpu = analysis::gpu_for_recipes(flags.target_gpu, run.device);
  advice::RecipeOptions options = flags.recipes;
  options.loss_tolerance = flags.options.tolerance;
  advice::RecipeEvidence evidence =
      analysis::recipe_evidence(rows, advice::largest_loss(run.first_loss_mean, run.last_loss_mean), gpu,
                                analysis::bf16_times(report, runs, gpu));
  evidence.are_copies_free = flags.fused_copies;
  return advise_recipes(evidence, options);
}

void print_advice(const std::vector<queries::RecipeMatmulRow>& rows, const AdviseFlags& flags,
                  const queries::Report& report, const std::vector<queries::RunRow>& runs) {
  if (!flags.code.empty() && flags.code != kTransformerEngine) {
    throw text::UsageError("--code: formats of matmuls are code for Transformer Engine alone: te.");
  }
  const queries::RunRow& run = *std::ranges::find(runs, rows.front().run, &queries::RunRow::run);
  const bool has_own_autocast = run.level.empty() && run.reduced_type != DType::Unknown;
  try {
    const advice::RecipeAdvice advice = advice_of(rows, flags, report, runs, run);
    if (!flags.output.empty()) write_policy(flags, policy_file(advice), has_own_autocast);
    fmt::print("{}", flags.code.empty()
                         ? views::formatted(advice, views::format_from(flags.format), text::terminal_of(STDOUT_FILENO))
                         : transformer_engine_code(advice));
  } catch (const amp::Error& error) {
    throw text::UsageError(error.what());
  } catch (const recipes::RecipeError& error) {
    throw text::UsageError(error.what());
  }
}

}  // namespace

int advise_verb(const Arguments& arguments, const Installation& installation) {
  AdviseFlags flags;
  if (!read(arguments, flags)) return kFine;
  const views::Format format = views::format_from(flags.format);
  const Language* language = language_of(flags.code);
  const queries::Report report(flags.report);
  const std::vector<queries::RunRow> runs = queries::runs(report);
  if (const auto rows = recipe_rows(flags, report, runs); !rows.empty()) {
    print_advice(rows, flags, report, runs);
    return kFine;
  }
  if (flags.code == kTransformerEngine) {
    throw text::UsageError(
        "--code: te is for a report with recipes. Record one: ampprof run --what-if mxfp8,nvfp4 PROGRAM");
  }
  auto rows = analysis::read_rows(report, runs, queries::ops(report));
  auto findings = analysis::diagnose(rows);
  if (flags.confirm) {
    if (!confirm_findings(flags.report, findings, runs, flags.only, installation)) return kProgramFailed;
    rows.confirmations = queries::confirmations(report);
    findings = analysis::diagnose(rows);
  }
  const text::Terminal terminal = text::terminal_of(STDOUT_FILENO);
  const bool has_answer = !findings.empty() || std::ranges::any_of(runs, analysis::has_own_reduced_type);
  if (!flags.run && has_answer && !analysis::run_to_advise(runs)) {
    fmt::print("{}", views::formatted(findings, views::no_run_to_advise(runs), format, terminal));
    return kFine;
  }
  const queries::RunRow run = run_of(flags, runs);
  const advice::Advice advice = analysis::advice_on(report, run, runs, flags.options);
  if (!flags.output.empty()) write_policy(flags, policy_file(advice), analysis::has_own_reduced_type(run));
  if (amp::has_half_model(run.level)) {
    fmt::print(stderr, "ampprof: registrations count at O1; at {} they say what an FP32 island would remove.\n",
               run.level);
  }
  fmt::print("{}", language ? language->print(advice)
                            : views::formatted(advice, findings, {run.run, run.level}, format, terminal));
  std::fflush(stdout);
  if (!language && views::is_for_people(format)) views::print_missing(views::missing_of(report, {run}), flags.report);
  return kFine;
}

}  // namespace ampprof::cli
