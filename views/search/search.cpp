// SPDX-License-Identifier: Apache-2.0
#include "views/search/search.h"

#include <fmt/format.h>

#include <algorithm>

#include "reports/text/elide.h"
#include "reports/text/listed.h"
#include "reports/text/numbers.h"
#include "views/table/column.h"

namespace ampprof::views {
namespace {

/// A row of the view: one set of functions or matmuls that the search tried.
struct TriedSet {
  const search::Evaluation* evaluation = nullptr;
  std::vector<std::string> lines;
  std::size_t candidates = 0;
};

std::string_view word_of(search::Verdict verdict) {
  switch (verdict) {
    case search::Verdict::Pass:
      return "pass";
    case search::Verdict::Fail:
      return "fail";
    case search::Verdict::Undecided:
      return "undecided";
  }
  return "";
}

bool goes_on(const TriedSet& set) {
  return set.evaluation->verdict == search::Verdict::Undecided && set.evaluation->running > 0;
}

std::string verdict_in_words(const TriedSet& set) {
  return std::string(goes_on(set) ? "running" : word_of(set.evaluation->verdict));
}

Cell verdict_cell(const TriedSet& set) {
  if (goes_on(set)) return {verdict_in_words(set)};
  const bool passes = set.evaluation->verdict == search::Verdict::Pass;
  const bool fails = set.evaluation->verdict == search::Verdict::Fail;
  return {verdict_in_words(set), passes ? text::Tone::Good : fails ? text::Tone::Bad : text::Tone::Attention};
}

std::string set_in_words(const TriedSet& set) {
  if (set.lines.size() == set.candidates) return "everything";
  if (set.lines.empty()) return "nothing";
  std::string words;
  for (const std::string& line : set.lines) words += (words.empty() ? "" : ", ") + text::printable(line);
  return words;
}

std::optional<double> mean_of(const TriedSet& set) {
  return set.evaluation->metric ? std::optional(set.evaluation->metric->mean) : std::nullopt;
}

std::optional<double> standard_error_of(const TriedSet& set) {
  return set.evaluation->metric ? set.evaluation->metric->standard_error : std::nullopt;
}

std::string metric_in_words(const TriedSet& set) {
  const auto mean = mean_of(set);
  if (!mean) return std::string(text::kAbsent);
  const auto error = standard_error_of(set);
  return text::number(*mean) + (error && *error > 0.0 ? " ±" + text::uncertainty(*error) : "");
}

std::string time_in_words(const search::Evaluation& evaluation) {
  return evaluation.runs == 0 ? std::string(text::kAbsent) : text::microseconds(evaluation.seconds * 1e6);
}

std::int64_t as_count(std::size_t value) { return static_cast<std::int64_t>(value); }

std::vector<ColumnOf<TriedSet>> what_was_tried() {
  return {{.key = "stage",
           .about = "Stage of the search that tried the set: everything, advised, nothing, halves, one by one.",
           .value = [](const TriedSet& set) -> Value { return std::string(name_of(set.evaluation->stage)); }},
          number_column<TriedSet>(
              {"functions", "Number of functions in high precision."},
              [](const TriedSet& set) { return as_count(set.lines.size()); }, "kept", text::count),
          {.key = "policy",
           .about = "Lines of the policy file.",
           .value = [](const TriedSet& set) -> Value { return Json(set.lines); },
           .title = "set",
           .cell = [](const TriedSet& set) -> Cell { return {set_in_words(set)}; },
           .flexible = true}};
}

std::vector<ColumnOf<TriedSet>> what_came_out() {
  return {{.key = "verdict",
           .about = "Verdict: pass, fail or undecided.",
           .value = [](const TriedSet& set) -> Value { return verdict_in_words(set); },
           .title = "verdict",
           .cell = verdict_cell},
          {.key = "metric",
           .about = "Mean of the metric over the runs that gave a value.",
           .value = [](const TriedSet& set) -> Value { return value_of(mean_of(set)); },
           .title = "metric",
           .cell = [](const TriedSet& set) -> Cell { return {metric_in_words(set)}; },
           .align = Align::Right},
          {.key = "standard_error",
           .about = "Standard error of `metric`.",
           .value = [](const TriedSet& set) { return value_of(standard_error_of(set)); }},
          number_column<TriedSet>(
              {"runs", "Number of runs."}, [](const TriedSet& set) { return as_count(set.evaluation->runs); }, "runs",
              text::count),
          {.key = "failed_runs",
           .about = "Number of runs that failed.",
           .value = [](const TriedSet& set) -> Value { return as_count(set.evaluation->failed); }},
          {.key = "stopped_runs",
           .about = "Number of failed runs that were stopped because their losses exceeded the tolerance.",
           .value = [](const TriedSet& set) -> Value { return as_count(set.evaluation->stopped); }},
          {.key = "seconds",
           .about = "Total time of the runs.",
           .value = [](const TriedSet& set) -> Value { return set.evaluation->seconds; },
           .title = "time",
           .cell = [](const TriedSet& set) -> Cell { return {time_in_words(*set.evaluation)}; },
           .align = Align::Right,
           .spare = 1}};
}

const ViewOf<TriedSet>& declared_search() {
  static const ViewOf<TriedSet> kView{
      .name = "search", .columns = joined({what_was_tried(), what_came_out()}), .none = "No set was run."};
  return kView;
}

std::string metric_name(const search::Metric& metric) {
  switch (metric.kind) {
    case search::MetricKind::FinalLoss:
      return "the final loss";
    case search::MetricKind::OverflowRate:
      return "the share of steps that overflow";
    case search::MetricKind::Output:
      return fmt::format("'{}'", text::printable(metric.expression));
  }
  return "";
}

/// Returns how the policy treats the set: "in FP32" for functions, which O1 casts; "outside the recipe" for matmuls.
const char* kept_where(const search::Result& result) {
  return result.question.candidates.unit == "function" ? "in FP32" : "outside the recipe";
}

std::string within_in_words(const search::Result& result) {
  return fmt::format("within {} of the run with all {} {}", text::number(result.findings.tolerance.value_or(0.0)),
                     result.question.candidates.all.size(), kept_where(result));
}

std::string heading_of(const search::Result& result) {
  const search::SearchState& findings = result.findings;
  const std::string metric = metric_name(result.question.metric);
  const auto all = as_count(result.question.candidates.all.size());
  if (!findings.best.set) {
    if (result.stop != search::Stop::Finished) return "The search was stopped before any set passed.";
    return fmt::format("No set passes: with all {} {}, {} is not a finite number or the program fails.",
                       text::counted(all, result.question.candidates.unit), kept_where(result), metric);
  }
  const auto kept = as_count(findings.best.set->size());
  if (kept == 0)
    return fmt::format("Nothing needs to stay {}: {} stays {}.", kept_where(result), metric, within_in_words(result));
  std::string text = fmt::format(
      "{} {} of {} {}: {} stays {}", result.stop == search::Stop::Finished ? "Keep" : "So far, keep", kept,
      text::counted(all, result.question.candidates.unit), kept_where(result), metric, within_in_words(result));
  if (findings.best.open.empty())
    text += kept == 1 ? ", but not if it is left out" : ", but not if any one of them is left out";
  return text + '.';
}

std::string how_sure(const search::SearchState& findings, const search::TestPlan& plan) {
  if (!findings.tolerance) return "";
  if (findings.repeats_agree) {
    return "Two runs with different seeds were equal to the last bit, so each set was decided by one run.";
  }
  const std::size_t tested = findings.tested();
  if (tested == 0) return "";
  const double any = std::min(1.0, plan.error * static_cast<double>(tested));
  return fmt::format(
      "Each tested verdict is wrong with a probability of at most {}; at least one of the {} tested verdicts is wrong "
      "with a probability of at most {}.",
      text::percent(plan.error), tested, text::percent(any));
}

std::string what_failed(const search::Result& result) {
  std::int64_t stopped = 0;
  std::int64_t failed = 0;
  for (const search::Evaluation& evaluation : result.findings.evaluations) {
    stopped += as_count(evaluation.stopped);
    failed += as_count(evaluation.failed - evaluation.stopped);
  }
  std::string text;
  if (failed > 0) {
    text = fmt::format("{} failed and gave no finite value of {}.", text::counted(failed, "run"),
                       metric_name(result.question.metric));
  }
  if (stopped > 0) {
    text += fmt::format("{}{} stopped early, because the losses were clearly beyond the tolerance.",
                        text.empty() ? "" : " ",
                        stopped == 1 ? "1 run was" : fmt::format("{} runs were", text::count(stopped)));
  }
  return text;
}

std::string what_is_open(const search::Result& result) {
  const search::SearchState& findings = result.findings;
  std::string text;
  if (findings.best.open.size() > 1 && findings.best.open == findings.best.set) {
    text = "Not decided: which members of this set can be left out. ";
  } else if (!findings.best.open.empty()) {
    std::vector<std::string> open;
    for (const std::string& line : policy_lines(result.question, findings.best.open))
      open.push_back(text::printable(line));
    text = fmt::format("Not decided: whether the set passes without one of {}. ", text::listed(open));
  }
  if (result.stop == search::Stop::OutOfTime) text += "The budget is spent; the same command resumes from here.";
  if (result.stop == search::Stop::Interrupted)
    text += "The search was interrupted; the same command resumes from here.";
  if (result.stop == search::Stop::Finished && !findings.best.open.empty()) {
    text += "Runs differ too much to decide: a larger --tolerance or --error decides sooner.";
  }
  return text;
}

std::vector<TriedSet> tried_sets(const search::Result& result) {
  std::vector<TriedSet> sets;
  for (const search::Evaluation& evaluation : result.findings.evaluations) {
    sets.push_back({.evaluation = &evaluation,
                    .lines = policy_lines(result.question, evaluation.set),
                    .candidates = result.question.candidates.all.size()});
  }
  return sets;
}

}  // namespace

std::string_view name_of(search::Stage stage) {
  switch (stage) {
    case search::Stage::Everything:
      return "everything";
    case search::Stage::Advised:
      return "advised";
    case search::Stage::Nothing:
      return "nothing";
    case search::Stage::Halves:
      return "halves";
    case search::Stage::OneByOne:
      return "one by one";
  }
  return "";
}

std::vector<std::string> policy_lines(const search::SearchProblem& question, const search::Set& set) {
  std::vector<std::string> lines;
  for (const std::size_t place : set) lines.push_back(question.candidates.all[place].line);
  return lines;
}

View search_view(const search::Result& result) { return view_of(declared_search(), tried_sets(result)); }

std::vector<std::string> search_sentences(const search::Result& result) {
  std::vector<std::string> sentences{heading_of(result), how_sure(result.findings, result.question.plan),
                                     what_is_open(result)};
  std::erase(sentences, "");
  return sentences;
}

Json to_json(const search::Result& result) {
  const search::SearchState& findings = result.findings;
  const search::TestPlan& plan = result.question.plan;
  Json evaluations = Json::array();
  for (const TriedSet& set : tried_sets(result)) evaluations.push_back(json_of(declared_search().columns, set));
  const bool is_tested = findings.tolerance && !findings.repeats_agree;
  return {{"policy", findings.best.set ? Json(policy_lines(result.question, *findings.best.set)) : Json()},
          {"minimal", findings.best.set.has_value() && findings.best.open.empty()},
          {"open", policy_lines(result.question, findings.best.open)},
          {"finished", result.stop == search::Stop::Finished},
          {"candidates", result.question.candidates.all.size()},
          {"metric", search::name_of(result.question.metric)},
          {"higher_is_better", result.question.metric.higher},
          {"tolerance", exact(findings.tolerance)},
          {"error_probability", is_tested            ? exact(plan.error)
                                : findings.tolerance ? exact(0.0)
                                                     : Json()},
          {"tested", findings.tested()},
          {"evaluations", evaluations}};
}

std::string formatted(const search::Result& result, Format format, const text::Terminal& terminal) {
  if (format == Format::Json) return to_text(to_json(result));
  const View view = search_view(result);
  if (format == Format::Csv) return formatted(view, format, terminal);
  std::string text;
  const auto say = [&](const std::string& sentence) {
    if (sentence.empty()) return;
    const auto lines = format == Format::Table ? text::wrap(sentence, terminal.width, 2) : std::vector{sentence};
    for (const std::string& line : lines) text += line + '\n';
  };
  say(heading_of(result));
  if (const auto& best = result.findings.best.set; best && !best->empty()) {
    text += '\n';
    for (const std::string& line : policy_lines(result.question, *best)) text += "    " + text::printable(line) + '\n';
  }
  if (!view.records.empty()) text += '\n' + formatted(view, format, terminal) + '\n';
  say(what_failed(result));
  say(how_sure(result.findings, result.question.plan));
  say(what_is_open(result));
  return text;
}

}  // namespace ampprof::views
