// SPDX-License-Identifier: Apache-2.0
#include "cli/export/sections.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "analysis/diagnosis/highlights.h"
#include "analysis/ops/op_figures.h"
#include "analysis/ranks/report_rows.h"
#include "cli/export/html.h"
#include "reports/queries/events.h"
#include "reports/queries/gaps.h"
#include "reports/queries/gpu_activities.h"
#include "reports/text/numbers.h"
#include "views/diagnosis/answer.h"
#include "views/diagnosis/missing.h"
#include "views/events/event_text.h"
#include "views/gpu/views.h"
#include "views/runs/run_choice.h"
#include "views/runs/views.h"
#include "views/view_source.h"

namespace ampprof::cli {
namespace {

constexpr std::size_t kCallSites = 200;
constexpr std::size_t kEvents = 30;
constexpr std::size_t kLinks = 12;
constexpr std::size_t kGpuRows = 15;
constexpr std::size_t kMisses = 30;

std::string emphasized(const views::Sentence& sentence) {
  const char* const tone = sentence.tone == text::Tone::Bad         ? " class=\"bad\""
                           : sentence.tone == text::Tone::Attention ? " class=\"attention\""
                                                                    : "";
  return fmt::format("<li{}>{}</li>\n", tone, escaped(sentence.text));
}

// Ranks NaN and infinities above all numbers, because they are worse.
HtmlCell ranked(const std::optional<double>& value, std::string (*show)(double), text::Tone tone = text::Tone::Plain) {
  if (!value) return {std::string(text::kAbsent)};
  return {show(*value), tone, std::isfinite(*value) ? *value : std::numeric_limits<double>::infinity()};
}

HtmlCell count_cell(const std::optional<std::int64_t>& n, text::Tone tone) {
  if (!n) return {std::string(text::kAbsent)};
  return {text::count(*n), *n > 0 ? tone : text::Tone::Plain, static_cast<double>(*n)};
}

std::vector<HtmlCell> cells_of(const queries::OpRow& op) {
  const auto of_local = [&](double ErrorStats::*member) {
    return op.local ? std::optional((*op.local).*member) : std::nullopt;
  };
  // The most important columns come first: a phone shows three without scrolling.
  return {{op.call_site},
          ranked(op.loss_impact_size, text::scientific),
          ranked(op.local ? std::optional(op.local->relative_l2()) : std::nullopt, text::scientific),
          ranked(op.cpu_us, text::microseconds),
          count_cell(op.ranges ? std::optional(op.ranges->nonfinite) : std::nullopt, text::Tone::Bad),
          count_cell(op.local ? std::optional(op.local->flushed) : std::nullopt, text::Tone::Attention),
          ranked(of_local(&ErrorStats::max_ulp), text::number),
          ranked(op.inherited ? std::optional(op.inherited->relative_l2()) : std::nullopt, text::scientific),
          {std::string(short_name(op.dtype_in)) + ">" + std::string(short_name(op.dtype_out))},
          count_cell(op.calls, text::Tone::Plain),
          {op.source.empty() ? std::string(text::kAbsent) : op.source}};
}

const std::vector<HtmlColumn>& call_site_columns() {
  static const std::vector<HtmlColumn> kColumns{{"call site"},
                                                {"E", views::Align::Right},
                                                {"local error", views::Align::Right},
                                                {"CPU time", views::Align::Right},
                                                {"NaN/inf", views::Align::Right},
                                                {"flushed", views::Align::Right},
                                                {"max ulp", views::Align::Right},
                                                {"accumulated", views::Align::Right},
                                                {"type"},
                                                {"calls", views::Align::Right},
                                                {"source"}};
  return kColumns;
}

std::string parameters_of(const queries::EventRow& event) {
  if (event.parameters.empty()) return "";
  std::vector<std::vector<HtmlCell>> rows;
  for (const EventParameter& parameter : event.parameters) {
    const auto over =
        parameter.finite_amax ? std::optional(*parameter.finite_amax / analysis::kLargestHalf) : std::nullopt;
    rows.push_back({{parameter.name},
                    count_cell(parameter.nan, text::Tone::Bad),
                    count_cell(parameter.inf, text::Tone::Bad),
                    ranked(parameter.finite_amax, text::number),
                    ranked(over, text::number)});
  }
  return html_table({{"parameter"},
                     {"NaN", views::Align::Right},
                     {"inf", views::Align::Right},
                     {"largest finite", views::Align::Right},
                     {"of 65504", views::Align::Right}},
                    rows);
}

std::string chain_of(const queries::EventRow& event) {
  if (event.chain.empty()) return "";
  std::string html = "<p>Spread through: ";
  for (std::size_t i = 0; i < std::min(kLinks, event.chain.size()); ++i) {
    html += (i > 0 ? " &rarr; " : "") + escaped(event.chain[i]);
  }
  if (event.chain.size() > kLinks) html += fmt::format(" &rarr; {} more", event.chain.size() - kLinks);
  return html + ".</p>\n";
}

std::string article_of(const PageSource& page, const queries::EventRow& event) {
  const std::string scale =
      event.by_scaler ? fmt::format("Loss scale {} &rarr; {}{}. ", text::plain(event.scale_before),
                                    text::plain(event.scale_after), event.skipped ? "; the update was skipped" : "")
                      : "";
  std::string html = fmt::format("<article>\n<h3>{} step {}{}</h3>\n<p>{}First non-finite: {} ({}). Outcome: {}.",
                                 escaped(views::label_of(event.run, page.rows->runs)), event.step,
                                 event.loss_id == 0 ? "" : fmt::format(" (loss {})", event.loss_id), scale,
                                 escaped(views::origin_text(event)), escaped(views::cause_text(event)),
                                 escaped(views::outcome_text(event)));
  if (event.largest_safe_scale) {
    html += fmt::format(" Largest loss scale without this overflow: {}{}.",
                        event.largest_safe_scale_is_bound ? "at most " : "", text::plain(*event.largest_safe_scale));
  }
  return html + "</p>\n" + chain_of(event) + parameters_of(event) + "</article>\n";
}

/// Returns a table of a view's first rows.
std::string beginning_of(const PageSource& page, views::View view) {
  const std::size_t all = view.records.size();
  view.records.resize(std::min(all, kGpuRows));
  return html_table(view) + page.rest(all, view.records.size(), view.name);
}

}  // namespace

PageSource::PageSource(views::ViewSource& views, std::string report)
    : views(views),
      rows(std::make_shared<const analysis::ReportRows>(views::rows_of(views))),
      report(std::move(report)) {}

std::string PageSource::rest(std::size_t all, std::size_t shown, const std::string& view) const {
  if (all <= shown) return "";
  return fmt::format("<p class=\"note\">{} more: <code>ampprof show {} {}</code></p>\n", all - shown, escaped(report),
                     view);
}

std::string about(const PageSource& page) {
  const std::vector<queries::RunRow>& runs = page.rows->runs;
  if (runs.empty()) return "The report holds no run.";
  std::string text = runs.front().program;
  if (!runs.front().device.empty()) text += " on " + runs.front().device;
  if (!runs.front().torch_version.empty()) text += ", LibTorch " + runs.front().torch_version;
  return text + ", " + text::counted(static_cast<std::int64_t>(runs.size()), "run");
}

std::string missing_section(const PageSource& page) {
  std::string list;
  for (const views::MissingThing& thing : views::missing_things(page.rows->missing)) {
    const Missing& missing = thing.missing;
    list += fmt::format("<li><span class=\"strong\">{}</span> ({}x, {}){}{}</li>\n", escaped(missing.what),
                        text::count(missing.count), escaped(thing.runs),
                        missing.cause.empty() ? "" : ": " + escaped(missing.cause),
                        missing.remedy.empty() ? "" : " <em>Remedy:</em> " + escaped(missing.remedy));
  }
  return html_section(
      "missing", "Not in this report",
      list.empty() ? "<p>Nothing that ampprof knows of is missing.</p>\n" : "<ul>\n" + list + "</ul>\n");
}

std::string answer_section(const PageSource& page) {
  std::string list;
  for (const views::Sentence& sentence : views::answer(*page.rows, page.views.targets)) {
    // This sentence is left out here: missing_section() shows it at the top of the page.
    if (!sentence.text.starts_with("Not in this report")) list += emphasized(sentence);
  }
  return html_section("answer", "What it says", "<ul>\n" + list + "</ul>\n");
}

std::string runs_section(const PageSource& page) {
  return html_section("runs", "Runs", html_table(views::runs_view(page.rows->shown())));
}

std::string call_sites_section(const PageSource& page) {
  const auto run = analysis::run_of_interest(page.rows->shown());
  if (!run) return "";
  std::vector<queries::OpRow> ops;
  std::ranges::copy_if(page.rows->ops, std::back_inserter(ops),
                       [&](const queries::OpRow& op) { return op.run == run->run; });
  std::ranges::stable_sort(ops, analysis::matters_more);
  const char* first = analysis::orders_by_impact(ops) ? "expected loss impact (E)" : "local error";
  std::vector<std::vector<HtmlCell>> rows;
  for (std::size_t i = 0; i < std::min(kCallSites, ops.size()); ++i) rows.push_back(cells_of(ops[i]));
  if (rows.empty()) return "";
  const std::string filter =
      "<label class=\"filter\">Show only rows with <input type=\"search\" data-of=\"call-sites\" "
      "placeholder=\"backward conv\"></label>\n";
  return html_section(
      "call-sites",
      fmt::format("Call sites of {}, largest {} first (reference: {})", views::label_of(*run, page.rows->runs), first,
                  run->reference.empty() ? "fp32" : run->reference),
      filter + html_table(call_site_columns(), rows, true) + page.rest(ops.size(), rows.size(), "ops"));
}

std::string events_section(const PageSource& page) {
  const auto& events = page.rows->events;
  std::string html;
  for (std::size_t i = 0; i < std::min(kEvents, events.size()); ++i) html += article_of(page, events[i]);
  if (html.empty()) html = "<p>No op made NaN or inf from finite values.</p>\n";
  return html_section("events", "Non-finite events", html + page.rest(events.size(), kEvents, "events"));
}

std::string tensor_cores_section(const PageSource& page) {
  const auto run = analysis::run_of_interest(page.rows->shown());
  if (!run) return "";
  const std::vector<queries::OpRow> misses = analysis::tensor_core_misses(*page.rows, page.views.targets, run->run);
  if (misses.empty()) return "";
  const std::vector<queries::OpRow> shown(
      misses.begin(), misses.begin() + static_cast<std::ptrdiff_t>(std::min(kMisses, misses.size())));
  return html_section("tensor-cores", "Matmuls that break Tensor Core rules, " + views::label_of(*run, page.rows->runs),
                      html_table(views::tensor_cores_view(shown, page.views.targets)) +
                          page.rest(misses.size(), shown.size(), "tensor-cores"));
}

std::string gpu_section(const PageSource& page) {
  const auto run = analysis::run_of_interest(page.rows->shown());
  if (!run || !run->gpu_ms_per_step) return "";
  const queries::Report& report = page.views.report;
  return html_section(
      "gpu", "GPU activity and idle time, " + views::label_of(*run, page.rows->runs),
      beginning_of(page, views::kernels_view(queries::gpu_activities(report, run->run), analysis::SiteFilter{})) +
          beginning_of(page, views::idle_view(queries::gaps(report, run->run))));
}

}  // namespace ampprof::cli
