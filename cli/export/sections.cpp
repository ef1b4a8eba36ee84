// SPDX-License-Identifier: Apache-2.0
#include "cli/export/sections.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "cli/export/html.h"
#include "cli/text/numbers.h"

namespace ampprof::cli {
namespace {

constexpr std::size_t kCallSites = 200;
constexpr std::size_t kEvents = 30;
constexpr std::size_t kLinks = 12;
constexpr std::size_t kGpuRows = 15;
constexpr std::size_t kMisses = 30;

std::string emphasized(const Statement& statement) {
  const char* const tone = statement.tone == Tone::Bad         ? " class=\"bad\""
                           : statement.tone == Tone::Attention ? " class=\"attention\""
                                                               : "";
  return fmt::format("<li{}>{}</li>\n", tone, escaped(statement.text));
}

std::string label_of_run(const PageSource& page, std::int64_t run) {
  const auto& runs = page.findings.runs;
  const auto found = std::ranges::find(runs, run, &RunRow::run);
  return found == runs.end() ? "run " + std::to_string(run) : label_of(*found, runs);
}

// NaN ranks with the infinities: both are worse than any number.
HtmlCell ranked(const std::optional<double>& value, std::string (*show)(double), Tone tone = Tone::Plain) {
  if (!value) return {std::string(kAbsent)};
  return {show(*value), tone, std::isfinite(*value) ? *value : std::numeric_limits<double>::infinity()};
}

HtmlCell tally(const std::optional<std::int64_t>& n, Tone tone) {
  if (!n) return {std::string(kAbsent)};
  return {count(*n), *n > 0 ? tone : Tone::Plain, static_cast<double>(*n)};
}

std::vector<HtmlCell> cells_of(const OpRow& op) {
  const auto of_local = [&](double ErrorStats::*member) {
    return op.local ? std::optional((*op.local).*member) : std::nullopt;
  };
  // What matters most first: a phone shows three columns before it scrolls.
  return {{op.call_site},
          ranked(op.local ? std::optional(op.local->relative_l2()) : std::nullopt, scientific),
          ranked(op.loss_impact_rms, scientific),
          ranked(op.cpu_us, microseconds),
          tally(op.ranges ? std::optional(op.ranges->nonfinite) : std::nullopt, Tone::Bad),
          tally(op.local ? std::optional(op.local->flushed) : std::nullopt, Tone::Attention),
          ranked(of_local(&ErrorStats::max_ulp), number),
          ranked(op.inherited ? std::optional(op.inherited->relative_l2()) : std::nullopt, scientific),
          {std::string(short_name(op.dtype_in)) + ">" + std::string(short_name(op.dtype_out))},
          tally(op.calls, Tone::Plain),
          {op.source.empty() ? std::string(kAbsent) : op.source}};
}

const std::vector<HtmlColumn>& call_site_columns() {
  static const std::vector<HtmlColumn> kColumns{{"call site"},
                                                {"rel error", Align::Right},
                                                {"loss impact", Align::Right},
                                                {"CPU time", Align::Right},
                                                {"NaN/inf", Align::Right},
                                                {"flushed", Align::Right},
                                                {"max ulp", Align::Right},
                                                {"inherited", Align::Right},
                                                {"type"},
                                                {"calls", Align::Right},
                                                {"source"}};
  return kColumns;
}

std::string parameters_of(const EventRow& event) {
  if (event.parameters.empty()) return "";
  std::vector<std::vector<HtmlCell>> rows;
  for (const EventParameter& parameter : event.parameters) {
    const auto over = parameter.finite_amax ? std::optional(*parameter.finite_amax / 65504) : std::nullopt;
    rows.push_back({{parameter.name},
                    tally(parameter.nan, Tone::Bad),
                    tally(parameter.inf, Tone::Bad),
                    ranked(parameter.finite_amax, number),
                    ranked(over, number)});
  }
  return html_table({{"parameter"},
                     {"NaN", Align::Right},
                     {"inf", Align::Right},
                     {"largest finite", Align::Right},
                     {"of 65504", Align::Right}},
                    rows);
}

std::string chain_of(const EventRow& event) {
  if (event.chain.empty()) return "";
  std::string html = "<p>Spread through: ";
  for (std::size_t i = 0; i < std::min(kLinks, event.chain.size()); ++i) {
    html += (i > 0 ? " &rarr; " : "") + escaped(event.chain[i]);
  }
  if (event.chain.size() > kLinks) html += fmt::format(" &rarr; {} more", event.chain.size() - kLinks);
  return html + ".</p>\n";
}

std::string article_of(const PageSource& page, const EventRow& event) {
  const std::string first = event.first_op.empty() ? "unknown" : event.first_op;
  std::string html =
      fmt::format("<article>\n<h3>{} step {}{}</h3>\n<p>Loss scale {} &rarr; {}{}. First non-finite: {}.",
                  escaped(label_of_run(page, event.run)), event.step,
                  event.loss_id == 0 ? "" : fmt::format(" (loss {})", event.loss_id), plain(event.scale_before),
                  plain(event.scale_after), event.skipped ? "; the step was skipped" : "", escaped(first));
  if (event.largest_safe_scale) {
    html += fmt::format(" Largest scale that would have passed: {}{}.",
                        event.largest_safe_scale_is_bound ? "at most " : "", plain(*event.largest_safe_scale));
  }
  return html + "</p>\n" + chain_of(event) + parameters_of(event) + "</article>\n";
}

/// A table of a view's first rows.
std::string beginning_of(const PageSource& page, View view) {
  const std::size_t all = view.records.size();
  view.records.resize(std::min(all, kGpuRows));
  return html_table(view) + page.rest(all, view.records.size(), view.name);
}

}  // namespace

std::string PageSource::rest(std::size_t all, std::size_t shown, const std::string& view) const {
  if (all <= shown) return "";
  return fmt::format("<p class=\"note\">{} more: <code>ampprof show {} {}</code></p>\n", all - shown, escaped(report),
                     view);
}

std::string missing_section(const PageSource& page) {
  std::string list;
  for (const MissingThing& thing : missing_things(page.findings.missing)) {
    const Missing& missing = thing.missing;
    list += fmt::format("<li><span class=\"strong\">{}</span> ({}x, {}){}{}</li>\n", escaped(missing.what),
                        count(missing.count), escaped(thing.runs),
                        missing.cause.empty() ? "" : ": " + escaped(missing.cause),
                        missing.remedy.empty() ? "" : " <em>Remedy:</em> " + escaped(missing.remedy));
  }
  return html_section(
      "missing", "Not in this report",
      list.empty() ? "<p>Nothing that ampprof knows of is missing.</p>\n" : "<ul>\n" + list + "</ul>\n");
}

std::string answer_section(const PageSource& page) {
  std::string list;
  for (const Statement& statement : answer(page.findings, page.views.targets)) {
    // The page has that above, and not at its end.
    if (!statement.text.starts_with("Not in this report")) list += emphasized(statement);
  }
  return html_section("answer", "What it says", "<ul>\n" + list + "</ul>\n");
}

std::string runs_section(const PageSource& page) {
  return html_section("runs", "Runs", html_table(runs_view(page.findings.runs)));
}

std::string call_sites_section(const PageSource& page) {
  const auto run = run_of_interest(page.findings.runs);
  if (!run) return "";
  std::vector<OpRow> ops;
  std::ranges::copy_if(page.findings.ops, std::back_inserter(ops), [&](const OpRow& op) { return op.run == run->run; });
  std::ranges::stable_sort(ops, has_larger_error);
  std::vector<std::vector<HtmlCell>> rows;
  for (std::size_t i = 0; i < std::min(kCallSites, ops.size()); ++i) rows.push_back(cells_of(ops[i]));
  if (rows.empty()) return "";
  const std::string filter =
      "<label class=\"filter\">Show only rows with <input type=\"search\" data-of=\"call-sites\" "
      "placeholder=\"backward conv\"></label>\n";
  return html_section("call-sites",
                      fmt::format("Call sites of {}, largest local error first (against {})",
                                  label_of(*run, page.findings.runs), run->reference.empty() ? "fp32" : run->reference),
                      filter + html_table(call_site_columns(), rows, true) + page.rest(ops.size(), rows.size(), "ops"));
}

std::string events_section(const PageSource& page) {
  const auto& events = page.findings.events;
  std::string html;
  for (std::size_t i = 0; i < std::min(kEvents, events.size()); ++i) html += article_of(page, events[i]);
  if (html.empty()) html = "<p>No overflow was seen.</p>\n";
  return html_section("events", "Overflow events", html + page.rest(events.size(), kEvents, "events"));
}

std::string tensor_cores_section(const PageSource& page) {
  const auto run = run_of_interest(page.findings.runs);
  if (!run) return "";
  const std::vector<OpRow> misses = tensor_core_misses(page.findings, page.views.targets, run->run);
  if (misses.empty()) return "";
  const std::vector<OpRow> shown(misses.begin(),
                                 misses.begin() + static_cast<std::ptrdiff_t>(std::min(kMisses, misses.size())));
  return html_section("tensor-cores", "Sizes that miss Tensor Core rules, " + label_of(*run, page.findings.runs),
                      html_table(tensor_cores_view(shown, page.views.targets)) +
                          page.rest(misses.size(), shown.size(), "tensor-cores"));
}

std::string gpu_section(const PageSource& page) {
  const auto run = run_of_interest(page.findings.runs);
  if (!run || !run->gpu_ms_per_step) return "";
  const Report& report = page.views.report;
  return html_section("gpu", "What the GPU did, and when it did nothing, " + label_of(*run, page.findings.runs),
                      beginning_of(page, kernels_view(report.gpu_activities(run->run), SiteFilter(Selection{}))) +
                          beginning_of(page, idle_view(report.gaps(run->run))));
}

}  // namespace ampprof::cli
