// SPDX-License-Identifier: Apache-2.0
#include "views/difference.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "analysis/targets.h"
#include "reports/text/elide.h"
#include "reports/text/numbers.h"
#include "views/run_choice.h"
#include "views/views.h"

namespace ampprof::views {
namespace {

using compare::Match;
using compare::Site;
using compare::SiteDifference;
using compare::Verdict;
using Shown = std::string (*)(double);

std::string whole(double value) {
  return std::abs(value) < 1e15 && value == std::floor(value) ? text::count(static_cast<std::int64_t>(value))
                                                              : text::number(value);
}

/// How a figure of compare::run_figures() or site_figures() looks in tables.
struct Look {
  std::string_view figure;
  const char* title;
  Shown shown;
  int spare;
};

constexpr Look kRunLooks[] = {
    {"ms_per_step", "time/step", text::milliseconds, 0},
    {"overhead_ms_per_step", "of that, ampprof's", text::milliseconds, 0},
    {"gpu_ms_per_step", "GPU time/step", text::milliseconds, 0},
    {"peak_bytes", "peak memory", text::bytes, 0},
    {"steps", "steps", whole, 0},
    {"initial_loss", "initial loss", text::number, 0},
    {"final_loss", "final loss", text::number, 0},
    {"overflow_events", "overflow events", whole, 0},
    {"skipped_steps", "skipped steps", whole, 0},
    {"loss_scale_final", "final loss scale", text::plain, 0},
    {"nonfinite_ops", "ops with NaN or inf", whole, 0},
};

constexpr Look kSiteLooks[] = {
    {"local_rel_l2", "rel error", text::scientific, 0},
    {"inherited_rel_l2", "inherited", text::scientific, 4},
    {"loss_impact_rms", "impact", text::scientific, 3},
    {"nonfinite", "NaN/inf", whole, 1},
    {"overflow_events", "overflows", whole, 5},
    {"cpu_us_per_call", "CPU time/call", text::microseconds, 0},
    {"gpu_us_per_call", "GPU time/call", text::microseconds, 0},
};

const Look& look_of(std::span<const Look> looks, std::string_view figure) {
  return *std::ranges::find(looks, figure, &Look::figure);
}

// Behind a figure: whether its change is one.
const char* mark_of(const compare::Compared& compared) {
  if (!compared.verdict || *compared.verdict == Verdict::Same) return "";
  return *compared.verdict == Verdict::Differs ? " *" : " ?";
}

// All figures are the better the smaller they are, but for those that nobody judges by.
text::Tone tone_of(const compare::Compared& compared) {
  if (!compared.verdict || *compared.verdict == Verdict::Same) return text::Tone::Faint;
  if (*compared.verdict == Verdict::CannotTell) return text::Tone::Plain;
  return *compared.b > *compared.a || std::isnan(*compared.b) ? text::Tone::Bad : text::Tone::Good;
}

Cell change_cell(const compare::Compared& compared, Shown text_of) {
  const std::string a = text::shown(compared.a, text_of);
  const std::string b = text::shown(compared.b, text_of);
  if (a == b) return {a + mark_of(compared), tone_of(compared)};
  return {a + " -> " + b + mark_of(compared), tone_of(compared)};
}

/// "differs (p = 0.029)", "cannot tell: too few repeats"; what is compared directly names no p.
std::string verdict_text(const compare::Compared& compared) {
  if (!compared.verdict) return "";
  std::string text(compare::name_of(*compared.verdict));
  std::replace(text.begin(), text.end(), '_', ' ');
  std::string basis(compare::name_of(*compared.basis));
  std::replace(basis.begin(), basis.end(), '_', ' ');
  if (*compared.verdict == Verdict::CannotTell) return text + ": " + basis;
  return compared.p ? text + fmt::format(" (p = {:.2g})", *compared.p) : text;
}

/// The figures that differ, by name; without one the strongest thing that can be said.
std::string findings_of(const SiteDifference& difference) {
  std::string differing;
  const compare::Compared* open = nullptr;
  for (const compare::ComparedFigure& figure : difference.figures) {
    if (figure.verdict == Verdict::CannotTell) open = &figure;
    if (figure.verdict != Verdict::Differs) continue;
    differing += (differing.empty() ? "" : ", ") + std::string(look_of(kSiteLooks, figure.name).title) + ' ' +
                 verdict_text(figure);
  }
  if (!differing.empty()) return differing;
  if (difference.sites.a == nullptr || difference.sites.b == nullptr) return std::string(text::kAbsent);
  return open != nullptr ? verdict_text(*open) : "no difference";
}

Json verdict_json(const compare::Compared& compared) {
  return compared.verdict ? Json(compare::name_of(*compared.verdict)) : Json();
}

Json basis_json(const compare::Compared& compared) {
  return compared.basis ? Json(compare::name_of(*compared.basis)) : Json();
}

Json ratio_json(const compare::Compared& compared) {
  if (!compared.a || !compared.b || *compared.a == 0) return {};
  return exact(*compared.b / *compared.a);
}

std::string types_of(const OpRow& op) {
  return std::string(short_name(op.dtype_in)) + ">" + std::string(short_name(op.dtype_out));
}

std::string tensor_cores_of(const analysis::Targets& targets, const OpRow& op) {
  const auto verdict = targets.verdict(op);
  std::string text(verdict ? name_of(verdict->rule_today) : "");
  std::replace(text.begin(), text.end(), '_', ' ');
  return text;
}

/// What of a call site is compared as text: empty where a side does not have it.
struct Words {
  std::string a;
  std::string b;

  template <class Of>
  Words(const SiteDifference& difference, Of of)
      : a(difference.sites.a ? of(difference.sites.a->first(), true) : ""),
        b(difference.sites.b ? of(difference.sites.b->first(), false) : "") {}

  Cell cell() const {
    const auto or_absent = [](const std::string& text) { return text.empty() ? std::string(text::kAbsent) : text; };
    if (a == b) return {or_absent(a), text::Tone::Faint};
    return {or_absent(a) + " -> " + or_absent(b)};
  }
};

Words types(const SiteDifference& difference) {
  return {difference, [](const OpRow& op, bool) { return types_of(op); }};
}

Words tensor_cores(const analysis::SideBySide& compared, const SiteDifference& difference) {
  return {difference, [&](const OpRow& op, bool of_a) {
            return tensor_cores_of(of_a ? compared.a.targets : compared.b.targets, op);
          }};
}

Cell site_cell(const SiteDifference& difference) {
  const std::string site = short_site(difference.sites.any().first());
  switch (difference.sites.match) {
    case Match::OnlyA:
      return {"- " + site, text::Tone::Attention};
    case Match::OnlyB:
      return {"+ " + site, text::Tone::Attention};
    case Match::Renamed:
      return {"~ " + short_site(difference.sites.b->first())};
    case Match::Exact:
      break;
  }
  return {site};
}

Json to_json(const analysis::SideBySide& compared, const SiteDifference& difference) {
  const OpRow& op = difference.sites.any().first();
  const Words type_names = types(difference);
  const Words verdicts = tensor_cores(compared, difference);
  const bool renamed = difference.sites.match == Match::Renamed;
  Json json{{"a", name_of(compared.a.repeats.runs)},
            {"b", name_of(compared.b.repeats.runs)},
            {"call_site", op.call_site},
            {"call_site_b", renamed ? Json(difference.sites.b->first().call_site) : Json()},
            {"phase", name_of(op.phase)},
            {"module", op.module},
            {"op", op.op},
            {"match", name_of(difference.sites.match)},
            {"change_log2", exact(difference.change())},
            {"types_a", text_or_null(type_names.a)},
            {"types_b", text_or_null(type_names.b)},
            {"tensor_core_a", text_or_null(verdicts.a)},
            {"tensor_core_b", text_or_null(verdicts.b)}};
  for (const compare::ComparedFigure& figure : difference.figures) {
    const std::string name(figure.name);
    json[name + "_a"] = exact(figure.a);
    json[name + "_b"] = exact(figure.b);
    json[name + "_verdict"] = verdict_json(figure);
    json[name + "_p"] = exact(figure.p);
    json[name + "_basis"] = basis_json(figure);
  }
  return json;
}

std::vector<std::string> site_keys() {
  std::vector<std::string> keys{
      "a",     "b",           "call_site", "call_site_b", "phase",         "module",       "op",
      "match", "change_log2", "types_a",   "types_b",     "tensor_core_a", "tensor_core_b"};
  for (const auto& figure : compare::site_figures()) {
    for (const char* part : {"_a", "_b", "_verdict", "_p", "_basis"}) keys.push_back(std::string(figure.name) + part);
  }
  return keys;
}

std::vector<Column> site_columns() {
  std::vector<Column> columns{{.title = "call site", .flexible = true, .key = "call_site"}};
  for (const auto& figure : compare::site_figures()) {
    const Look& look = look_of(kSiteLooks, figure.name);
    columns.push_back(
        {.title = look.title, .align = Align::Right, .spare = look.spare, .key = std::string(figure.name) + "_b"});
  }
  columns.push_back({.title = "types", .spare = 2, .key = "types_b"});
  columns.push_back({.title = "Tensor Cores", .spare = 6, .key = "tensor_core_b"});
  columns.push_back({.title = "verdict", .flexible = true, .spare = 7});
  return columns;
}

// A column that says nothing in any row takes room from those that do.
void drop_empty_columns(View& view) {
  for (std::size_t i = view.columns.size(); i-- > 0;) {
    const bool is_empty = std::all_of(view.records.begin(), view.records.end(), [&](const Record& record) {
      return record.cells[i].text == text::kAbsent || record.cells[i].text == "0";
    });
    if (!is_empty || view.records.empty()) continue;
    const auto place = static_cast<std::ptrdiff_t>(i);
    view.columns.erase(view.columns.begin() + place);
    for (Record& record : view.records) record.cells.erase(record.cells.begin() + place);
  }
}

}  // namespace

std::string title_of(const analysis::SideOf& side, bool with_report) {
  const auto runs = static_cast<std::int64_t>(side.repeats.runs.size());
  std::string title = with_report ? text::printable(std::filesystem::path(side.report).filename().string()) + " " : "";
  title += name_of(side.repeats.runs);
  return runs == 1 ? title : title + fmt::format(" ({})", text::counted(runs, "run"));
}

View run_difference_view(const analysis::SideBySide& compared) {
  const std::string a = name_of(compared.a.repeats.runs);
  const std::string b = name_of(compared.b.repeats.runs);
  View view{.name = "diff runs",
            .keys = {"figure", "a", "b", "ratio", "verdict", "p", "basis"},
            .columns = {{""}, {.title = a == b ? "change" : a + " -> " + b, .align = Align::Right}, {"verdict"}},
            .records = {},
            .none = ""};
  for (const compare::ComparedFigure& figure : compared.difference.runs) {
    if (!figure.a && !figure.b) continue;
    const Look& look = look_of(kRunLooks, figure.name);
    view.records.push_back({{{"figure", figure.name},
                             {"a", exact(figure.a)},
                             {"b", exact(figure.b)},
                             {"ratio", ratio_json(figure)},
                             {"verdict", verdict_json(figure)},
                             {"p", exact(figure.p)},
                             {"basis", basis_json(figure)}},
                            {{look.title}, change_cell(figure, look.shown), {verdict_text(figure), tone_of(figure)}}});
  }
  return view;
}

View site_difference_view(const analysis::SideBySide& compared) {
  View view{
      .name = "diff", .keys = site_keys(), .columns = site_columns(), .records = {}, .none = "No call site matches."};
  for (const SiteDifference& difference : compared.difference.sites) {
    std::vector<Cell> cells{site_cell(difference)};
    for (const compare::ComparedFigure& figure : difference.figures) {
      cells.push_back(change_cell(figure, look_of(kSiteLooks, figure.name).shown));
    }
    cells.push_back(types(difference).cell());
    cells.push_back(tensor_cores(compared, difference).cell());
    cells.push_back({findings_of(difference)});
    view.records.push_back({to_json(compared, difference), std::move(cells)});
  }
  drop_empty_columns(view);
  return view;
}

}  // namespace ampprof::views
