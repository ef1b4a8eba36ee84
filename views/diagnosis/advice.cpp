// SPDX-License-Identifier: Apache-2.0
#include "views/diagnosis/advice.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/diagnosis/advised_run.h"
#include "analysis/diagnosis/confirm.h"
#include "analysis/diagnosis/finding.h"
#include "precision/advice/advise.h"
#include "reports/queries/run_names.h"
#include "reports/queries/runs.h"
#include "reports/text/elide.h"
#include "reports/text/numbers.h"
#include "views/diagnosis/findings.h"
#include "views/table/column.h"

namespace ampprof::views {
namespace {

using AdviceColumns = std::vector<ColumnOf<advice::Registration>>;

AdviceColumns registered_functions() {
  return {{.key = "op",
           .about = "Function to register.",
           .value = &advice::Registration::op,
           .title = "function",
           .cell = [](const advice::Registration& function) -> Cell {
             return {text::printable(function.op), text::Tone::Strong};
           }},
          {.key = "module",
           .about = "Module in which to register the function. Null means all modules.",
           .value = [](const advice::Registration& function) { return known(function.module); },
           .title = "in module",
           .cell = [](const advice::Registration& function) -> Cell {
             return {function.module.empty() ? "everywhere" : text::printable(function.module)};
           },
           .flexible = true},
          {.key = "precision",
           .about = "Precision in which to register the function: fp32.",
           .value = [](const advice::Registration&) -> Value { return std::string("fp32"); }},
          {.key = "because",
           .about = "Reason for the registration.",
           .value = &advice::Registration::because,
           .title = "because",
           .cell = [](const advice::Registration& function) -> Cell { return {text::printable(function.because)}; },
           .flexible = true,
           .behind = "cost_us"}};
}

AdviceColumns registration_figures() {
  return {number_column<advice::Registration>({"loss_impact", "Change of the loss due to the errors of this function."},
                                              &advice::Registration::loss_impact, "impact", text::scientific),
          number_column<advice::Registration>({"overflows", "Number of overflows that began in this function."},
                                              &advice::Registration::overflows, "overflows", text::count,
                                              {.spare = 1, .tone = text::Tone::Bad}),
          number_column<advice::Registration>({"cost_us", "Time that the registration adds to a step."},
                                              &advice::Registration::cost_us, "cost/step", text::microseconds,
                                              {.spare = 2}),
          {.key = "cast_bytes",
           .about = "Bytes of the casts that the registration adds to a step.",
           .value = &advice::Registration::cast_bytes},
          {.key = "call_sites",
           .about = "Call sites of this function.",
           .value = [](const advice::Registration& function) -> Value { return Json(function.call_sites); }},
          {.key = "sources",
           .about = "Lines of the function's call sites, as FILE:LINE.",
           .value = [](const advice::Registration& function) -> Value { return Json(function.sources); }}};
}

const ViewOf<advice::Registration>& declared_advice() {
  static const ViewOf<advice::Registration> kView{.name = "advise",
                                                  .columns = joined({registered_functions(), registration_figures()}),
                                                  .none = "No function needs FP32.",
                                                  .wraps = true};
  return kView;
}

Json to_json(const advice::Ranked& ranked, advice::RankingBasis basis) {
  const bool by_impact = basis == advice::RankingBasis::LossImpact;
  return {{"op", ranked.op},
          {"module", text_or_null(ranked.module)},
          {"loss_impact_rms", by_impact ? exact(ranked.weight) : Json()},
          {"share", by_impact ? exact(ranked.share) : Json()},
          {"local_rel_l2", by_impact ? Json() : exact(ranked.weight)},
          {"overflows", ranked.overflows}};
}

std::string cost_of(const advice::Advice& advice) {
  if (!advice.cost_us) return {};
  return fmt::format("; a step takes {} {}", text::microseconds(std::abs(*advice.cost_us)),
                     *advice.cost_us < 0 ? "less" : "more");
}

/// Formats the probability that advice is right, at most "over 99%": a few recorded steps never prove more.
std::string certainty_text(double probability) {
  constexpr double kMostSaid = 0.99;
  return probability > kMostSaid ? "over 99%" : text::percent(probability);
}

std::string heading_of(const advice::Advice& advice, const std::vector<analysis::Finding>& findings,
                       const queries::RunName& run) {
  const std::string of = fmt::format("run {}{}", run.id, run.level.empty() ? "" : " at " + text::printable(run.level));
  const auto functions = static_cast<std::int64_t>(advice.policy.size());
  if (functions == 0) {
    const std::string word = analysis::remedy_to_try(findings, run.id);
    if (word.empty()) return fmt::format("No function needs FP32, based on {}.", of);
    return fmt::format("No policy fixes the faults, based on {}. Try: ampprof run --remedy {} PROGRAM", of,
                       text::printable(word));
  }
  std::string text = fmt::format("Keep {} in FP32, based on {}", text::counted(functions, "function"), of);
  if (advice.impact_before && advice.impact_after) {
    text += fmt::format(": the expected loss impact falls from {} to {}", text::scientific(*advice.impact_before),
                        text::scientific(*advice.impact_after));
  }
  text += cost_of(advice) + '.';
  if (advice.certainty) {
    text += fmt::format(" With {} probability, no other function matters more (from the recorded steps).",
                        certainty_text(*advice.certainty));
  }
  return text;
}

Json findings_json(const std::vector<analysis::Finding>& findings) {
  Json array = Json::array();
  for (const analysis::Finding& finding : findings) array.push_back(views::to_json(finding));
  return array;
}

std::string findings_text(const std::vector<analysis::Finding>& findings, Format format,
                          const text::Terminal& terminal) {
  std::string text;
  for (const Sentence& sentence : sentences_of(findings)) {
    text += format == Format::Table ? wrapped(sentence, terminal) : "- " + sentence.text + '\n';
  }
  return text;
}

bool is_about(const analysis::Finding& finding, const std::string& call_site) {
  return finding.culprit.call_site == call_site || std::ranges::find(finding.chain, call_site) != finding.chain.end();
}

/// Returns the notes on advice. Omits notes about call sites that a finding is about.
std::vector<std::string> notes_beside(const advice::Advice& advice, const std::vector<analysis::Finding>& findings) {
  std::vector<std::string> notes = advice.notes;
  for (const advice::NotRepaired& op : advice.not_repaired) {
    const auto explains = [&](const analysis::Finding& finding) { return is_about(finding, op.call_site); };
    if (std::ranges::none_of(findings, explains)) notes.push_back(op.note);
  }
  return notes;
}

}  // namespace

const char* no_run_to_advise(const std::vector<queries::RunRow>& runs) {
  if (std::ranges::any_of(runs, &queries::RunRow::has_compiled_regions)) {
    return "torch.compile hides the types in which the functions of these runs compute. Record the program without "
           "torch.compile: ampprof run --eager ...";
  }
  if (std::ranges::any_of(runs, analysis::has_own_reduced_type)) {
    return "The program's own tensors are in a reduced type, and nothing casts at function calls, so a policy has no "
           "effect";
  }
  return "No run of the report trains in a reduced type. Record one: ampprof run --levels O0,O1 ..., or predict one "
         "from an FP32 program with --what-if fp16";
}

View advice_view(const advice::Advice& advice) { return view_of(declared_advice(), advice.policy); }

Json to_json(const advice::Advice& advice, const queries::RunName& run) {
  Json policy = Json::array();
  for (const advice::Registration& function : advice.policy) {
    policy.push_back(json_of(declared_advice().columns, function));
  }
  Json ranking = Json::array();
  for (const advice::Ranked& ranked : advice.ranking) ranking.push_back(to_json(ranked, advice.basis));
  return {{"policy", policy},
          {"predicted_loss_impact_before", exact(advice.impact_before)},
          {"predicted_loss_impact_after", exact(advice.impact_after)},
          {"predicted_cost_us", exact(advice.cost_us)},
          {"certainty", exact(advice.certainty)},
          {"run", run.id},
          {"level", text_or_null(run.level)},
          {"basis", advice.basis == advice::RankingBasis::LossImpact ? "loss_impact" : "local_error"},
          {"tolerance", exact(advice.tolerance)},
          {"ranking", ranking},
          {"notes", advice::all_notes(advice)}};
}

std::string formatted(const advice::Advice& advice, const std::vector<analysis::Finding>& findings,
                      const queries::RunName& run, Format format, const text::Terminal& terminal) {
  if (format == Format::Json) {
    Json json = to_json(advice, run);
    json["findings"] = findings_json(findings);
    return to_text(json);
  }
  const View view = advice_view(advice);
  if (format == Format::Csv) return formatted(view, format, terminal);
  const bool is_table = format == Format::Table;
  const auto line = [&](const std::string& text) { return is_table ? wrapped({text}, terminal) : text + '\n'; };
  std::string text = findings_text(findings, format, terminal);
  if (!text.empty()) text += '\n';
  text += line(heading_of(advice, findings, run));
  if (!view.records.empty()) text += '\n' + formatted(view, format, terminal);
  const std::vector<std::string> notes = notes_beside(advice, findings);
  if (!notes.empty()) text += '\n';
  for (const std::string& note : notes) text += line((is_table ? "" : "- ") + text::printable(note));
  return text;
}

std::string formatted(const std::vector<analysis::Finding>& findings, const std::string& why, Format format,
                      const text::Terminal& terminal) {
  if (format == Format::Json) return to_text({{"policy", Json::array()}, {"findings", findings_json(findings)}});
  if (format == Format::Csv) return formatted(findings_view(findings), format, terminal);
  std::string text = findings_text(findings, format, terminal);
  if (!text.empty()) text += '\n';
  return text + (format == Format::Table ? wrapped({why + "."}, terminal) : why + ".\n");
}

}  // namespace ampprof::views
