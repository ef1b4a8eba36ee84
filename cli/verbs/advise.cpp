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
#include "analysis/search/metric.h"
#include "cli/launch/confirm/confirm_findings.h"
#include "cli/launch/note.h"
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
Prints the findings with their remedies, the costliest first. Then proposes
functions to keep in FP32: each that overflows, and the fewest others that bring
the expected loss impact down to the target. -o writes a policy for ampprof run
--policy and amp::load_policy.

If the report has predictions for FP8 or FP4 (ampprof run --what-if RECIPE,...),
chooses a format for each matmul of each layer instead: the fastest ones that
keep the loss impact and the step impact within their tolerances.

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
  std::string tolerance;
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
  CLI::App app(
      "Recommends which functions to keep in FP32, or an FP8/FP4 format per matmul, and explains what is wrong.",
      "ampprof advise");
  set_usage(app, "ampprof advise REPORT [OPTIONS]");
  app.footer(kFooter);
  app.add_option("REPORT", flags.report, "read this report of ampprof run")->required();
  add_format(app, flags.format);
  one_of(add_option(app, "--run", flags.run,
                    "advise on this run: its id or its level (default: the first with reduced types)"),
         opt_levels())
      ->type_name("ID|LEVEL");
  add_flag(app, "--confirm", flags.confirm,
           "run the program again with each remedy that needs no change of its source, and report whether the finding "
           "disappears");
  add_option(app, "--only", flags.only, "confirm only this remedy, such as init_scale=1024 or a line of a policy")
      ->needs("--confirm")
      ->type_name("REMEDY");
  add_option(app, "-o,--output", flags.output, "write a policy file (default: none)")->type_name("FILE");
  add_flag(app, "--force", flags.force, "replace an existing policy file");
  one_of(add_option(app, "--code", flags.code,
                    "print the advice as code: cpp and apex register functions, torch and libtorch exclude them from "
                    "autocast, te sets the formats of layers in Transformer Engine"),
         {"cpp", "apex", "torch", "libtorch", kTransformerEngine})
      ->type_name("LANGUAGE");
  add_option(app, "--target", flags.options.target_share,
             "keep functions in FP32 until at most this share of the expected loss impact remains (default: 0.1)")
      ->check(CLI::Validator(CLI::Range(0.0, 1.0)).description(""))
      ->type_name("SHARE");
  add_option(app, "--tolerance", flags.tolerance,
             "accept a change of the loss up to this size: 0.2% for a share of the loss, or 0.003 for an absolute "
             "change (default: "
             "0.1%; 1% "
             "for FP8/FP4 formats)")
      ->type_name("T");
  add_option(app, "--gradient-tolerance", flags.recipes.gradient_share,
             "accept FP8/FP4 formats that cost at most this share of the loss decrease per step (default: 0.05)")
      ->check(CLI::Validator(CLI::Range(0.0, 1.0)).description(""))
      ->type_name("SHARE");
  add_flag(app, "--each-layer", flags.recipes.each_layer,
           "choose a format for every layer separately (default: layers of the same kind share a format)");
  add_flag(app, "--fused-copies", flags.fused_copies,
           "assume that quantizing operands is fused into the preceding op and costs no time");
  add_option(app, "--target-gpu", flags.target_gpu,
             "choose formats for this GPU (default: the run's GPU if it has FP8, else B200)")
      ->type_name("GPU");
  if (!parse(app, arguments)) return false;
  check_gpu(flags.target_gpu);
  return true;
}

/// Returns --tolerance in the unit of the loss; empty if not given. Throws UsageError.
std::optional<double> tolerance_of(const AdviseFlags& flags, const queries::RunRow& run) {
  if (flags.tolerance.empty()) return std::nullopt;
  const auto tolerance = search::tolerance_spec_from(flags.tolerance);
  if (!tolerance) {
    throw text::UsageError(fmt::format(
        "--tolerance: invalid tolerance '{}'. Write 0.2% for a share of the loss, or 0.003 for an absolute change.",
        flags.tolerance));
  }
  if (tolerance->absolute) return tolerance->absolute;
  return *tolerance->share * advice::largest_loss(run.first_loss_mean, run.last_loss_mean);
}

const Language* language_of(const std::string& name) {
  if (name.empty() || name == kTransformerEngine) return nullptr;
  std::vector<std::string> names;
  for (const Language& language : kLanguages) {
    if (language.name == name) return &language;
    names.emplace_back(language.name);
  }
  names.emplace_back(kTransformerEngine);
  throw text::UsageError(fmt::format("--code: unknown language '{}'.{} Use one of {}.", name,
                                     analysis::did_you_mean(name, names), text::listed(names)));
}

queries::RunRow run_of(const AdviseFlags& flags, const std::vector<queries::RunRow>& runs) {
  if (!flags.run) {
    if (const auto run = analysis::run_to_advise(runs)) return *run;
    throw text::UsageError(fmt::format("{}. To advise on another run, use --run.", views::no_run_to_advise(runs)));
  }
  for (const queries::RunRow& run : runs) {
    if (queries::names_run(*flags.run, run.run, run.level)) return run;
  }
  throw text::UsageError(
      fmt::format("--run: the report has no run '{}'. See: ampprof show {} runs", *flags.run, flags.report));
}

void write_new(const AdviseFlags& flags, const std::string& policy) {
  if (!flags.force && std::filesystem::exists(flags.output)) {
    throw text::UsageError(
        fmt::format("{} exists already. Choose another name with -o, or add --force.", flags.output));
  }
  text::write_file(flags.output, policy);
}

void write_policy(const AdviseFlags& flags, const advice::Advice& advice, bool has_own_autocast) {
  if (advice.policy.empty()) {
    note(fmt::format("no policy file was written: {} would have no rule", flags.output));
    return;
  }
  write_new(flags, policy_file(advice));
  note(fmt::format("wrote {0}. Try it: ampprof run {1}--policy {0} PROGRAM", flags.output,
                   has_own_autocast ? "" : "--levels O0,O1 "));
}

/// Writes the policy file, and prints how to train with it and a gate to judge the result. The gate compares with the
/// report itself: --what-if only predicts, so the report's run trained without the formats.
void write_formats(const AdviseFlags& flags, const advice::RecipeAdvice& advice) {
  write_new(flags, policy_file(advice));
  note(
      fmt::format("wrote {0}. Train with it: ampprof run --policy {0} -o mixed.ampprof -- PROGRAM\n"
                  "  Then judge it: ampprof diff {1} mixed.ampprof --gate 'last_loss_mean(B) < 1.01 * "
                  "last_loss_mean(A)'",
                  flags.output, flags.report));
}

/// Returns the predicted effects of recipes on each matmul, for --run or all runs; empty if no run has any.
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
  options.loss_tolerance = tolerance_of(flags, run);
  advice::RecipeEvidence evidence =
      analysis::recipe_evidence(rows, advice::largest_loss(run.first_loss_mean, run.last_loss_mean), gpu,
                                analysis::bf16_times(report, runs, gpu));
  evidence.are_copies_free = flags.fused_copies;
  return advise_recipes(evidence, options);
}

void print_advice(const std::vector<queries::RecipeMatmulRow>& rows, const AdviseFlags& flags,
                  const queries::Report& report, const std::vector<queries::RunRow>& runs) {
  if (!flags.code.empty() && flags.code != kTransformerEngine) {
    throw text::UsageError(
        "--code: this report has FP8/FP4 formats, which only Transformer Engine supports. Use --code te.");
  }
  const queries::RunRow& run = *std::ranges::find(runs, rows.front().run, &queries::RunRow::run);
  try {
    const advice::RecipeAdvice advice = advice_of(rows, flags, report, runs, run);
    if (!flags.output.empty()) write_formats(flags, advice);
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
        "--code: te needs a report with FP8/FP4 predictions. Record one: ampprof run --what-if mxfp8,nvfp4 PROGRAM");
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
  advice::Options options = flags.options;
  options.tolerance = tolerance_of(flags, run);
  const advice::Advice advice = analysis::advice_on(report, run, runs, options);
  if (!flags.output.empty()) write_policy(flags, advice, analysis::has_own_reduced_type(run));
  if (amp::has_half_model(run.level)) {
    fmt::print(stderr,
               "ampprof: policies take effect at O1 only. At {}, the advice only shows how much of the loss impact "
               "would disappear if a function ran in FP32.\n",
               run.level);
  }
  fmt::print("{}", language ? language->print(advice)
                            : views::formatted(advice, findings, {run.run, run.level}, format, terminal));
  std::fflush(stdout);
  if (!language && views::is_for_people(format)) views::print_missing(views::missing_of(report, {run}), flags.report);
  return kFine;
}

}  // namespace ampprof::cli
