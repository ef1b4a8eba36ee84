// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <tuple>

#include "reports/queries/drifts.h"
#include "reports/text/elide.h"
#include "reports/text/numbers.h"
#include "views/losses/views.h"
#include "views/ops/site_columns.h"
#include "views/table/column.h"

namespace ampprof::views {
namespace {

using Line = queries::DriftRow;

/// Ranks drift classes, the most important first.
int urgency_of(DriftClass drift_class) {
  switch (drift_class) {
    case DriftClass::Broken:
      return 6;
    case DriftClass::Lost:
      return 5;
    case DriftClass::Biased:
      return 4;
    case DriftClass::FewLost:
    case DriftClass::Inherited:
      return 3;
    case DriftClass::Correlated:
    case DriftClass::Unbiased:
      return 2;
    case DriftClass::Compensated:
    case DriftClass::Residue:
    case DriftClass::Bounded:
      return 1;
    case DriftClass::Short:
    case DriftClass::Fine:
      return 0;
  }
  return 0;
}

text::Tone tone_of(DriftClass drift_class) {
  const int urgency = urgency_of(drift_class);
  return urgency >= 4 ? text::Tone::Bad : urgency == 3 ? text::Tone::Attention : text::Tone::Plain;
}

Cell tensor_cell(const Line& line) {
  if (line.of.parameter.empty()) return text_cell("");
  const std::string name = text::printable(line.of.parameter);
  if (line.of.role == DriftRole::Gradient) return {name + ".grad"};
  return {line.of.role == DriftRole::State ? "state of " + name : name};
}

std::vector<ColumnOf<Line>> drifting_tensors() {
  return {run_id<Line>(),
          run_level<Line>(),
          {.key = "parameter",
           .value = [](const Line& line) { return known(line.of.parameter); },
           .title = "tensor",
           .cell = tensor_cell,
           .flexible = true},
          {.key = "role", .value = [](const Line& line) -> Value { return std::string(name_of(line.of.role)); }},
          dtype_column<Line>([](const Line& line) { return line.of.dtype; }),
          {.key = "class",
           .value = [](const Line& line) -> Value { return std::string(name_of(line.of.verdict)); },
           .title = "class",
           .cell = [](const Line& line) -> Cell {
             return {std::string(name_of(line.of.verdict)), tone_of(line.of.verdict)};
           }},
          site_name<Line>("by", /*spare=*/2),
          site_phase<Line>(),
          site_module<Line>(),
          site_op<Line>(),
          site_source<Line>("call_site")};
}

/// Shows no share of 10 or more: the way is near 0, or the tensor keeps another's residue.
std::string share_of_way(double share) {
  return std::abs(share) < 10.0 ? text::percent(share) : std::string(text::kAbsent);
}

template <class Number>
ColumnOf<Line> figure(std::string key, Number Drift::*member, std::string_view title, std::string (*show)(double),
                      NumberLook look = {}) {
  return number_column<Line>(
      std::move(key), [member](const Line& line) { return line.of.*member; }, title, show, look);
}

/// Returns a column for JSON only.
template <class Number>
ColumnOf<Line> hidden(std::string key, Number Drift::*member) {
  return {.key = std::move(key),
          .value = [member](const Line& line) { return value_of(std::optional(line.of.*member)); }};
}

std::vector<ColumnOf<Line>> drift_figures() {
  return {figure("drift", &Drift::drift, "drift", share_of_way),
          figure("bias", &Drift::bias, "bias", share_of_way),
          figure("lost", &Drift::lost, "lost", text::percent),
          hidden("relative", &Drift::relative),
          hidden("own", &Drift::own),
          hidden("walk", &Drift::walk),
          {.key = "growth", .value = [](const Line& line) { return value_of(line.of.growth); }},
          hidden("ulps", &Drift::ulps),
          hidden("way", &Drift::way),
          hidden("way_of_run", &Drift::way_of_run),
          {.key = "effective", .value = [](const Line& line) { return value_of(line.of.effective); }},
          hidden("broken", &Drift::broken),
          number_column<Line>("segments", [](const Line& line) { return line.of.segments; }, "written in", text::count,
                              {.spare = 1}),
          hidden("tensors", &Drift::tensors),
          hidden("restarts", &Drift::restarts),
          hidden("elements", &Drift::elements),
          hidden("sampled", &Drift::sampled)};
}

const ViewOf<Line>& declared_drift() {
  static const ViewOf<Line> kView{
      .name = "drift",
      .columns = joined({drifting_tensors(), drift_figures()}),
      .none =
          "No tensor was followed over steps. Record a program that writes to one in several steps with --inherited."};
  return kView;
}

}  // namespace

View drift_view(std::vector<queries::DriftRow> rows) {
  const auto rank = [](const Line& line) { return std::tuple(line.run, -urgency_of(line.of.verdict), -line.of.drift); };
  std::ranges::stable_sort(rows, {}, rank);
  return view_of(declared_drift(), rows);
}

}  // namespace ampprof::views
