// SPDX-License-Identifier: Apache-2.0
#include "views/compare/difference.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "analysis/ops/targets.h"
#include "reports/queries/ops.h"
#include "reports/records/dtype.h"
#include "reports/text/elide.h"
#include "reports/text/numbers.h"
#include "views/compare/signs.h"
#include "views/ops/site_columns.h"
#include "views/ops/views.h"
#include "views/runs/run_choice.h"
#include "views/table/column.h"

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

/// Title and format in tables of a metric of compare::run_metrics() or site_metrics().
struct Look {
  std::string_view figure;
  const char* title;
  Shown shown;
  int spare = 0;
};

constexpr Look kRunLooks[] = {
    {"ms_per_step", "time/step", text::milliseconds},
    {"overhead_ms_per_step", "of that, ampprof's", text::milliseconds},
    {"gpu_ms_per_step", "GPU time/step", text::milliseconds},
    {"peak_bytes", "peak memory", text::bytes},
    {"steps", "steps", whole},
    {"initial_loss", "first loss", text::number},
    {"final_loss", "last loss", text::number},
    {"last_loss_mean", "mean of last losses", text::number},
    {"nonfinite_losses", "losses not finite", whole},
    {"overflow_events", "overflow events", whole},
    {"nonfinite_events", "non-finite events", whole},
    {"skipped_steps", "skipped steps", whole},
    {"loss_scale_final", "final loss scale", text::plain},
    {"nonfinite_ops", "ops with NaN or inf", whole},
};

constexpr Look kSiteLooks[] = {
    {"local_rel_l2", "local error", text::scientific},
    {"inherited_rel_l2", "accumulated", text::scientific, 4},
    {"loss_impact_rms", "impact RMS", text::scientific, 3},
    {"nonfinite", "NaN/inf", whole, 1},
    {"overflow_events", "overflows", whole, 5},
    {"cpu_us_per_call", "CPU time/call", text::microseconds},
    {"gpu_us_per_call", "GPU time/call", text::microseconds},
};

constexpr const char* kAboutCannotTell =
    "Cannot tell: a side has too few repeats to tell a difference from noise. Record more with ampprof run --repeat N.";

const Look& look_of(std::span<const Look> looks, std::string_view figure) {
  return *std::ranges::find(looks, figure, &Look::figure);
}

// Colours the change of a metric. For every metric with a verdict, a smaller value is better.
text::Tone tone_of(const compare::Compared& compared) {
  if (!compared.verdict || *compared.verdict == Verdict::Same) return text::Tone::Faint;
  if (*compared.verdict == Verdict::CannotTell) return text::Tone::Plain;
  return *compared.b > *compared.a || std::isnan(*compared.b) ? text::Tone::Bad : text::Tone::Good;
}

Cell change_cell(const compare::Compared& compared, Shown text_of) {
  const std::string a = text::shown(compared.a, text_of);
  const std::string b = text::shown(compared.b, text_of);
  if (a == b) return {a + sign_of(compared), tone_of(compared)};
  return {a + " -> " + b + sign_of(compared), tone_of(compared)};
}

/// Returns "differs (p = 0.029)" or "cannot tell: too few repeats". A verdict without a rank test has no p value.
std::string verdict_text(const compare::Compared& compared) {
  if (!compared.verdict) return {};
  const std::string text = words_of(compare::name_of(*compared.verdict));
  if (*compared.verdict == Verdict::CannotTell) return text + ": " + words_of(compare::name_of(*compared.basis));
  return compared.p ? text + fmt::format(" (p = {:.2g})", *compared.p) : text;
}

/// Lists the metrics of a call site that differ. If none differs, returns "cannot tell" with its reason, or "no
/// difference".
std::string findings_of(const SiteDifference& difference) {
  std::string differing;
  const compare::Compared* open = nullptr;
  for (const compare::ComparedMetric& figure : difference.figures) {
    if (figure.verdict == Verdict::CannotTell) open = &figure;
    if (figure.verdict != Verdict::Differs) continue;
    differing += (differing.empty() ? "" : ", ") + std::string(look_of(kSiteLooks, figure.name).title) + ' ' +
                 verdict_text(figure);
  }
  if (!differing.empty()) return differing;
  if (difference.sites.a == nullptr || difference.sites.b == nullptr) return std::string(text::kAbsent);
  return open != nullptr ? verdict_text(*open) : "no difference";
}

Value verdict_of(const compare::Compared& compared) {
  return compared.verdict ? known(compare::name_of(*compared.verdict)) : Value();
}

Value basis_of(const compare::Compared& compared) {
  return compared.basis ? known(compare::name_of(*compared.basis)) : Value();
}

Value ratio_of(const compare::Compared& compared) {
  if (!compared.a || !compared.b || *compared.a == 0) return {};
  return *compared.b / *compared.a;
}

std::string types_of(const queries::OpRow& op) {
  return std::string(short_name(op.dtype_in)) + ">" + std::string(short_name(op.dtype_out));
}

std::string tensor_cores_of(const analysis::Targets& targets, const queries::OpRow& op) {
  const auto verdict = targets.verdict(op);
  return verdict ? words_of(name_of(verdict->rule_today)) : "";
}

/// One text per side about a call site; "" for a side that lacks the call site.
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

/// A call site of a comparison: one row of the view.
struct SiteLine {
  const analysis::SideBySide& compared;
  const SiteDifference& difference;

  const queries::OpRow& op() const { return difference.sites.any().first(); }
  const compare::ComparedMetric& figure(std::string_view name) const {
    return compare::metric_named(difference.figures, name);
  }
};

Words types(const SiteLine& line) {
  return {line.difference, [](const queries::OpRow& op, bool) { return types_of(op); }};
}

Words tensor_cores(const SiteLine& line) {
  return {line.difference, [&](const queries::OpRow& op, bool of_a) {
            return tensor_cores_of(of_a ? line.compared.a.targets : line.compared.b.targets, op);
          }};
}

/// Returns whether both sides have the call site under the same name and with the same values. NaN equals NaN.
bool is_equal(const SiteLine& line) {
  const auto is_same = [](const compare::ComparedMetric& figure) {
    const bool are_nan = figure.a && figure.b && std::isnan(*figure.a) && std::isnan(*figure.b);
    return figure.verdict != Verdict::Differs && (are_nan || figure.a == figure.b);
  };
  const auto is_text_same = [](const Words& words) { return words.a == words.b; };
  return line.difference.sites.match == Match::Exact && std::ranges::all_of(line.difference.figures, is_same) &&
         is_text_same(types(line)) && is_text_same(tensor_cores(line));
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

using SiteColumns = std::vector<ColumnOf<SiteLine>>;

Value renamed_site(const SiteLine& line) {
  if (line.difference.sites.match != Match::Renamed) return {};
  return line.difference.sites.b->first().call_site;
}

SiteColumns site_identity() {
  return {
      {.key = "a",
       .about = "Opt level or run of side A.",
       .value = [](const SiteLine& line) -> Value { return name_of(line.compared.a.repeats.runs); }},
      {.key = "b",
       .about = "Opt level or run of side B.",
       .value = [](const SiteLine& line) -> Value { return name_of(line.compared.b.repeats.runs); }},
      {.key = "call_site",
       .about = "Call site of side A, or of side B if side A lacks it.",
       .value = [](const SiteLine& line) -> Value { return line.op().call_site; },
       .title = "call site",
       .cell = [](const SiteLine& line) { return site_cell(line.difference); },
       .flexible = true},
      {.key = "call_site_b",
       .about = "Name of the call site on side B if it differs from the name on side A.",
       .value = renamed_site},
      {.key = "phase",
       .about = "Phase: forward, recompute, backward, optimizer or inference.",
       .value = [](const SiteLine& line) { return word_of(line.op().phase); }},
      {.key = "module",
       .about = "Path of the module that calls the op.",
       .value = [](const SiteLine& line) -> Value { return line.op().module; }},
      {.key = "op", .about = "Name of the op.", .value = [](const SiteLine& line) -> Value { return line.op().op; }},
      {.key = "match",
       .about = "How the call site was matched: exact, renamed, only_a or only_b.",
       .value = [](const SiteLine& line) { return known(name_of(line.difference.sites.match)); }},
      {.key = "change_log2",
       .about = "Largest |log2(b / a)| over the compared values of the call site.",
       .unit = "log2",
       .value = [](const SiteLine& line) -> Value { return line.difference.change(); }}};
}

/// Returns the columns of types and Tensor Core use. Tables show them after the column with the key `last_figure`.
SiteColumns site_words(const std::string& last_figure) {
  return {{.key = "types_a",
           .about = "Types of side A.",
           .value = [](const SiteLine& line) { return known(types(line).a); }},
          {.key = "types_b",
           .about = "Types of side B.",
           .value = [](const SiteLine& line) { return known(types(line).b); },
           .title = "types",
           .cell = [](const SiteLine& line) { return types(line).cell(); },
           .spare = 2,
           .behind = last_figure},
          {.key = "tensor_core_a",
           .about = "Use of Tensor Cores on side A.",
           .value = [](const SiteLine& line) { return known(tensor_cores(line).a); }},
          {.key = "tensor_core_b",
           .about = "Use of Tensor Cores on side B.",
           .value = [](const SiteLine& line) { return known(tensor_cores(line).b); },
           .title = "Tensor Cores",
           .cell = [](const SiteLine& line) { return tensor_cores(line).cell(); },
           .spare = 6,
           .behind = "types_b"}};
}

SiteColumns columns_of(std::string_view figure) {
  const Look& look = look_of(kSiteLooks, figure);
  const std::string name(figure);
  return {{.key = name + "_a",
           .about = "Median of `" + name + "` of side A over repeats.",
           .value = [=](const SiteLine& line) { return value_of(line.figure(figure).a); }},
          {.key = name + "_b",
           .about = "Median of `" + name + "` of side B over repeats. " + signs_explained(),
           .value = [=](const SiteLine& line) { return value_of(line.figure(figure).b); },
           .title = look.title,
           .cell = [=](const SiteLine& line) { return change_cell(line.figure(figure), look.shown); },
           .align = Align::Right,
           .spare = look.spare},
          {.key = name + "_verdict",
           .about = "Verdict on `" + name + "`: no_difference, differs or cannot_tell. Null if a side has no value.",
           .value = [=](const SiteLine& line) { return verdict_of(line.figure(figure)); }},
          {.key = name + "_p",
           .about = "p value of the rank test of `" + name + "`.",
           .value = [=](const SiteLine& line) { return value_of(line.figure(figure).p); }},
          {.key = name + "_basis",
           .about = "Basis of the verdict on `" + name +
                    "`: rank_test, repeats_agree, equal, deterministic, no_repeats or too_few_repeats.",
           .value = [=](const SiteLine& line) { return basis_of(line.figure(figure)); }}};
}

SiteColumns all_site_columns() {
  const auto compared = compare::site_metrics();
  SiteColumns figures;
  for (const auto& figure : compared) figures = joined({figures, columns_of(figure.name)});
  return joined({site_identity(),
                 site_words(std::string(compared.back().name) + "_b"),
                 figures,
                 {{.about = std::string("Values that differ beyond noise. ") + kAboutCannotTell,
                   .title = "verdict",
                   .cell = [](const SiteLine& line) -> Cell { return {findings_of(line.difference)}; },
                   .flexible = true,
                   .spare = 7}}});
}

const ViewOf<SiteLine>& declared_site_difference() {
  static const ViewOf<SiteLine> kView{.name = "diff", .columns = all_site_columns(), .none = "No call site matches."};
  return kView;
}

// Drops table columns that are empty or 0 in every row, so that the other columns have more room.
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

/// Declares the view that compares the metrics of whole runs. `change` is the title of the column with both values.
ViewOf<compare::ComparedMetric> declared_run_difference(std::string_view change) {
  using compare::ComparedMetric;
  const auto look = [](const ComparedMetric& figure) { return look_of(kRunLooks, figure.name); };
  return {
      .name = "diff runs",
      .columns =
          {{.key = "figure",
            .about = "Name of the compared value.",
            .value = [](const ComparedMetric& figure) { return known(figure.name); },
            .cell = [=](const ComparedMetric& figure) -> Cell { return {look(figure).title}; }},
           {.key = "a",
            .about = "Median of side A over repeats.",
            .value = [](const ComparedMetric& figure) { return value_of(figure.a); }},
           {.key = "b",
            .about = "Median of side B over repeats. " + signs_explained(),
            .value = [](const ComparedMetric& figure) { return value_of(figure.b); },
            .title = change,
            .cell = [=](const ComparedMetric& figure) { return change_cell(figure, look(figure).shown); },
            .align = Align::Right},
           {.key = "ratio", .about = "b / a.", .value = ratio_of},
           {.key = "verdict",
            .about = std::string("Verdict: no_difference, differs or cannot_tell. Null if a side has no value. ") +
                     kAboutCannotTell,
            .value = verdict_of,
            .title = "verdict",
            .cell = [](const ComparedMetric& figure) -> Cell {
              return {verdict_text(figure), tone_of(figure)};
            }},
           {.key = "p",
            .about = "p value of the rank test.",
            .value = [](const ComparedMetric& figure) { return value_of(figure.p); }},
           {.key = "basis",
            .about =
                "Basis of the verdict: rank_test, repeats_agree, equal, deterministic, no_repeats or too_few_repeats.",
            .value = basis_of}},
      .none = ""};
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
  std::vector<compare::ComparedMetric> figures = compared.difference.runs;
  std::erase_if(figures, [](const compare::ComparedMetric& figure) { return !figure.a && !figure.b; });
  const std::string change = a == b ? "change" : a + " -> " + b;
  return view_of(declared_run_difference(change), figures);
}

View site_difference_view(const analysis::SideBySide& compared, Sites sites) {
  std::vector<SiteLine> lines;
  for (const SiteDifference& difference : compared.difference.sites) {
    const SiteLine line{compared, difference};
    if (sites == Sites::All || !is_equal(line)) lines.push_back(line);
  }
  View view = view_of(declared_site_difference(), lines);
  if (sites == Sites::Unequal) view.none = "No call site differs in any value.";
  drop_empty_columns(view);
  return view;
}

}  // namespace ampprof::views
