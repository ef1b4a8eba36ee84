// SPDX-License-Identifier: Apache-2.0
#include "views/diagnosis/summary.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/diagnosis/diagnose.h"
#include "analysis/diagnosis/finding.h"
#include "analysis/diagnosis/highlights.h"
#include "analysis/ops/targets.h"
#include "analysis/ranks/report_rows.h"
#include "reports/queries/events.h"
#include "reports/queries/ops.h"
#include "reports/queries/runs.h"
#include "reports/records/dtype.h"
#include "reports/records/event.h"
#include "reports/records/phase.h"
#include "reports/records/run.h"
#include "reports/text/elide.h"
#include "reports/text/numbers.h"
#include "views/diagnosis/answer.h"
#include "views/diagnosis/findings.h"
#include "views/diagnosis/missing.h"
#include "views/diagnosis/run_metrics.h"
#include "views/events/event_text.h"
#include "views/events/views.h"
#include "views/ops/views.h"
#include "views/runs/run_choice.h"
#include "views/runs/views.h"

namespace ampprof::views {
namespace {

constexpr std::size_t kTopOps = 6;
constexpr std::size_t kEvents = 6;
constexpr std::size_t kMisses = 6;
constexpr std::size_t kMissing = 5;

/// A part of the page: a title, then either lines, which are wrapped, or a table.
struct Section {
  std::string title;
  std::vector<Sentence> lines;
  Table table;
  std::string more;  ///< line that names the command for all rows, and counts omitted rows; "" for none
};

struct Page {
  const std::filesystem::path& report;
  const analysis::ReportRows& rows;
  const analysis::Targets& targets;

  std::string command(const std::string& view) const {
    return fmt::format("ampprof show {} {}", text::printable(report.string()), view);
  }
  std::string rest(std::size_t all, std::size_t shown, const std::string& view) const {
    return all > shown ? fmt::format("{} more: {}", all - shown, command(view)) : "";
  }
};

// Makes one column per shown run. Omits the last runs on a narrow terminal.
Section runs_section(const Page& page, int width) {
  const auto& runs = page.rows.shown();
  Section section{"Runs", {}, {{{""}}, {}}, ""};
  if (runs.empty()) return section;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    section.table.columns.push_back(
        {.title = label_of(runs[i], page.rows.runs), .align = Align::Right, .spare = static_cast<int>(i)});
  }
  for (const RunFigure& figure : run_metrics(page.rows, page.targets)) {
    std::vector<Cell> cells{{std::string(figure.title)}};
    for (const RunValue& value : figure.runs) cells.push_back(value.cell);
    section.table.rows.push_back(std::move(cells));
  }
  section.more = page.rest(page.rows.runs.size(), runs.size() - hidden_columns(section.table, width).size(),
                           page.rows.representatives ? "ranks" : "runs");
  return section;
}

std::vector<Cell> error_cells(const queries::OpRow& op) {
  return {{short_site(op)},
          {std::string(short_name(op.dtype_in))},
          {std::string(short_name(op.dtype_out))},
          {text::count(op.calls)},
          {text::scientific(op.local->relative_l2())},
          {text::number(op.local->max_ulp)},
          {text::count(op.local->flushed), op.local->flushed > 0 ? text::Tone::Attention : text::Tone::Plain},
          {op.ranges ? text::count(op.ranges->nonfinite) : std::string(text::kAbsent),
           op.ranges && op.ranges->nonfinite > 0 ? text::Tone::Bad : text::Tone::Plain}};
}

Section errors_section(const Page& page, const queries::RunRow& run) {
  Section section{fmt::format("Largest local errors of {} (against {})", label_of(run, page.rows.runs),
                              text::printable(run.reference.empty() ? "fp32" : run.reference)),
                  {},
                  {{{.title = "call site", .flexible = true},
                    {"in"},
                    {"out"},
                    {.title = "calls", .align = Align::Right, .spare = 1},
                    {"local error", Align::Right},
                    {"max ulp", Align::Right},
                    {"flushed", Align::Right},
                    {"NaN/inf", Align::Right}},
                   {}},
                  "all: " + page.command("ops")};
  for (const Phase phase : kPhases) {
    const bool rare = phase == Phase::Optimizer || phase == Phase::Inference;
    for (const queries::OpRow& op : analysis::worst_ops(page.rows, run.run, phase, rare ? 2 : kTopOps)) {
      section.table.rows.push_back(error_cells(op));
    }
  }
  return section;
}

std::string some_of(const std::vector<EventParameter>& parameters) {
  constexpr std::size_t kNamed = 3;
  std::string names;
  for (std::size_t i = 0; i < std::min(kNamed, parameters.size()); ++i) {
    names += (i > 0 ? ", " : "") + text::printable(parameters[i].name);
  }
  if (parameters.size() > kNamed) names += fmt::format(", {} more", parameters.size() - kNamed);
  return names.empty() ? "" : "; parameters " + names;
}

std::string sentence_of(const queries::EventRow& event, const std::string& label) {
  const std::string loss = event.loss_id == 0 ? "" : fmt::format(" (loss {})", event.loss_id);
  const std::string cause = event.cause == NonfiniteCause::Unknown ? "" : fmt::format(" ({})", cause_text(event));
  const std::string first = origin_text(event) + cause;
  if (!event.by_scaler) {
    return fmt::format("{} step {}: first non-finite: {}, {}", label, event.step, first, outcome_text(event));
  }
  return fmt::format("{} step {}{}: scale {} -> {}{}, first non-finite: {}{}", label, event.step, loss,
                     text::plain(event.scale_before), text::plain(event.scale_after), event.skipped ? ", skipped" : "",
                     first, some_of(event.parameters));
}

Section events_section(const Page& page) {
  const auto& events = page.rows.events;
  const std::size_t shown_events = std::min(kEvents, events.size());
  Section section{"Non-finite events", {}, {}, page.rest(events.size(), shown_events, "events")};
  for (std::size_t i = 0; i < shown_events; ++i) {
    section.lines.push_back({sentence_of(events[i], label_of(events[i].run, page.rows.runs))});
  }
  return section;
}

Section tensor_cores_section(const Page& page, const queries::RunRow& run) {
  const std::vector<queries::OpRow> misses = analysis::tensor_core_misses(page.rows, page.targets, run.run);
  const std::size_t shown_misses = std::min(kMisses, misses.size());
  Section section{"Matmuls that break Tensor Core rules, " + label_of(run, page.rows.runs),
                  {},
                  {{{.title = "call site", .flexible = true},
                    {"today"},
                    {.title = "why", .flexible = true},
                    {.title = "rule of 2018", .spare = 1},
                    {.title = "offending", .flexible = true},
                    {.title = "pad to", .flexible = true},
                    {"cost", Align::Right}},
                   {}},
                  page.rest(misses.size(), shown_misses, "tensor-cores")};
  constexpr std::size_t kWhy = 2;
  for (std::size_t i = 0; i < shown_misses; ++i) {
    const rules::TensorCoreVerdict verdict = *page.targets.verdict(misses[i]);
    const bool has_sizes = !verdict.padded.empty() && !rules::is_refused_for_type(verdict);
    const std::string absent(text::kAbsent);
    section.table.rows.push_back({{short_site(misses[i])},
                                  {words_of(name_of(verdict.rule_today)), text::Tone::Attention},
                                  {verdict.why.empty() ? absent : text::printable(verdict.why)},
                                  {words_of(name_of(verdict.rule_2018))},
                                  {has_sizes ? verdict.offending : absent},
                                  {has_sizes ? verdict.padded : absent},
                                  {has_sizes ? "+" + text::percent(verdict.padding_cost) : absent}});
  }
  const auto has_no_reason = [](const std::vector<Cell>& row) { return row[kWhy].text == text::kAbsent; };
  if (std::ranges::all_of(section.table.rows, has_no_reason)) {
    section.table.columns.erase(section.table.columns.begin() + kWhy);
    for (std::vector<Cell>& row : section.table.rows) row.erase(row.begin() + kWhy);
  }
  return section;
}

std::string sentence_of(const MissingThing& thing) {
  const Missing& missing = thing.missing;
  std::string text = fmt::format("{} ({}x, {})", text::printable(missing.what), text::count(missing.count), thing.runs);
  if (!missing.cause.empty()) text += ": " + text::printable(missing.cause);
  if (missing.remedy.empty()) return text;
  return text + (text.ends_with('.') ? " " : ". ") + "Remedy: " + text::printable(missing.remedy);
}

Section missing_section(const Page& page) {
  const std::vector<MissingThing> things = missing_things(page.rows.missing);
  const std::size_t shown_things = std::min(kMissing, things.size());
  Section section{"Not in this report", {}, {}, page.rest(things.size(), shown_things, "missing")};
  for (std::size_t i = 0; i < shown_things; ++i) section.lines.push_back({sentence_of(things[i])});
  return section;
}

std::vector<Section> sections_of(const Page& page, int width) {
  std::vector<Section> sections{runs_section(page, width)};
  if (const auto run = analysis::run_of_interest(page.rows.shown())) {
    sections.push_back(errors_section(page, *run));
    sections.push_back(events_section(page));
    sections.push_back(tensor_cores_section(page, *run));
  }
  sections.push_back(missing_section(page));
  std::erase_if(sections, [](const Section& section) { return section.lines.empty() && section.table.rows.empty(); });
  return sections;
}

std::string heading_of(const Page& page) {
  const auto& runs = page.rows.runs;
  std::string text = text::printable(page.report.filename().string());
  if (runs.empty()) return text;
  text += ": " + text::printable(runs.front().program);
  if (!runs.front().device.empty()) text += " on " + text::printable(runs.front().device);
  if (!runs.front().torch_version.empty()) text += ", LibTorch " + text::printable(runs.front().torch_version);
  return text + ", " + text::counted(static_cast<std::int64_t>(runs.size()), "run");
}

std::string as_text(const Page& page, const text::Terminal& terminal) {
  std::string result = wrapped({heading_of(page), text::Tone::Strong}, terminal) + '\n';
  for (const Sentence& statement : answer(page.rows, page.targets)) result += wrapped(statement, terminal);
  for (const Section& section : sections_of(page, terminal.width)) {
    result += '\n' + painted(section.title, text::Tone::Strong, terminal.colours) + '\n';
    for (const Sentence& line : section.lines) result += wrapped(line, terminal);
    if (!section.table.rows.empty()) result += render(section.table, terminal);
    if (!section.more.empty()) result += wrapped({section.more, text::Tone::Faint}, terminal);
  }
  return result;
}

std::string as_markdown(const Page& page, const text::Terminal& terminal) {
  std::string result = "# " + heading_of(page) + "\n\n";
  for (const Sentence& statement : answer(page.rows, page.targets)) result += "- " + statement.text + '\n';
  for (const Section& section : sections_of(page, terminal.width)) {
    result += "\n## " + section.title + "\n\n";
    for (const Sentence& line : section.lines) result += "- " + line.text + '\n';
    if (!section.table.rows.empty()) result += render_markdown(section.table);
    if (!section.more.empty()) result += "\n`" + section.more + "`\n";
  }
  return result;
}

template <class Rows, class Convert>
Json array_of(const Rows& rows, Convert convert) {
  Json array = Json::array();
  for (const auto& row : rows) array.push_back(convert(row));
  return array;
}

std::string as_json(const Page& page) {
  const auto plain_json = [](const auto& row) { return to_json(row); };
  const auto op_json = [&](const queries::OpRow& op) { return to_json(op, page.targets); };
  Json top = Json::array();
  Json misses = Json::array();
  Json first_diverging;
  if (const auto run = analysis::run_of_interest(page.rows.shown())) {
    for (const Phase phase : kPhases) {
      for (const queries::OpRow& op : analysis::worst_ops(page.rows, run->run, phase, kTopOps))
        top.push_back(op_json(op));
    }
    if (const auto first = queries::first_to_diverge(page.rows.ops, run->run, page.rows.threshold)) {
      first_diverging = op_json(*first);
    }
    misses = array_of(analysis::tensor_core_misses(page.rows, page.targets, run->run), op_json);
  }
  return to_text({{"answer", array_of(answer(page.rows, page.targets),
                                      [](const Sentence& statement) { return Json(statement.text); })},
                  {"findings", array_of(analysis::diagnose(page.rows), plain_json)},
                  {"runs", array_of(page.rows.runs, plain_json)},
                  {"top_ops", top},
                  {"first_diverging", first_diverging},
                  {"events", array_of(page.rows.events, plain_json)},
                  {"tensor_cores", misses},
                  {"missing", array_of(page.rows.missing, plain_json)}});
}

}  // namespace

std::string summary(const std::filesystem::path& report, const analysis::ReportRows& rows,
                    const analysis::Targets& targets, Format format, const text::Terminal& terminal) {
  const Page page{report, rows, targets};
  if (format == Format::Json) return as_json(page);
  if (format == Format::Csv) return formatted(runs_view(rows.runs), format, terminal);
  return format == Format::Markdown ? as_markdown(page, terminal) : as_text(page, terminal);
}

}  // namespace ampprof::views
