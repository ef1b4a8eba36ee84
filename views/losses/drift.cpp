// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <utility>

#include "reports/queries/drifts.h"
#include "reports/text/elide.h"
#include "reports/text/numbers.h"
#include "views/losses/views.h"
#include "views/ops/site_columns.h"
#include "views/table/column.h"

namespace ampprof::views {
namespace {

using Line = queries::DriftRow;

/// Returns how urgent a drift class is, from 0 to 6, the most urgent.
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
           .about = "Parameter to which the tensor belongs. Null if it has no name.",
           .value = [](const Line& line) { return known(line.of.parameter); },
           .title = "tensor",
           .cell = tensor_cell,
           .flexible = true},
          {.key = "role",
           .about = "Role of the tensor: parameter, gradient, state, or tensor if the role is unknown.",
           .value = [](const Line& line) -> Value { return std::string(name_of(line.of.role)); }},
          dtype_column<Line>([](const Line& line) { return line.of.dtype; }),
          {.key = "class",
           .about = "Class of the drift: fine, short, unbiased, bounded, correlated, biased, few "
                    "lost, lost, inherited, compensated, residue or broken.",
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

/// Formats a share of |W|, where W is the change of a tensor in exact arithmetic (see Drift). A share of 10 or more has
/// no meaning, and is shown as absent: |W| is near 0, or the tensor holds the rounding residue of another tensor.
std::string share_of_way(double share) {
  return std::abs(share) < 10.0 ? text::percent(share) : std::string(text::kAbsent);
}

template <class Number>
ColumnOf<Line> figure(Named named, Number Drift::*member, std::string_view title, std::string (*show)(double),
                      NumberLook look = {}) {
  return number_column<Line>(
      std::move(named), [member](const Line& line) { return line.of.*member; }, title, show, look);
}

/// Returns a column for JSON and CSV only.
template <class Number>
ColumnOf<Line> hidden(Named named, Number Drift::*member) {
  return {.key = std::move(named.key),
          .about = std::move(named.about),
          .unit = std::move(named.unit),
          .value = [member](const Line& line) { return value_of(std::optional(line.of.*member)); }};
}

std::vector<ColumnOf<Line>> drift_figures() {
  return {
      figure({"drift", "|D| / |W|, where D is run minus exact and W is exact minus start.", "share"}, &Drift::drift,
             "drift", share_of_way),
      figure(
          {"bias",
           "Bias <D, W> / <W, W>, where D is run minus exact and W is exact minus start: -1 if all updates were lost.",
           "share"},
          &Drift::bias, "bias", share_of_way),
      figure({"lost",
              "Share of the elements that move at most half as far as exact updates move them, because rounding errors "
              "of one sign add up.",
              "share"},
             &Drift::lost, "lost", text::percent),
      hidden({"relative", "|D| / |exact|, where D is run minus exact."}, &Drift::relative),
      hidden({"own", "|sum of the tensor's own rounding errors| / |sum of its updates|."}, &Drift::own),
      hidden({"walk",
              "|sum of the tensor's own rounding errors| divided by the root of the sum of their squares: 1 if the "
              "errors are independent, the root of `segments` if all errors have the same direction."},
             &Drift::walk),
      {.key = "growth",
       .about = "Exponent with which |D| (run minus exact) grows over segments: 1 linear, 0 bounded. Null if there are "
                "too few segments.",
       .value = [](const Line& line) { return value_of(line.of.growth); }},
      hidden({"ulps", "|D| (run minus exact) divided by half the spacing of the type at |exact|.", "ulp/2"},
             &Drift::ulps),
      hidden({"way", "|exact minus start|: how far the exact tensor moved."}, &Drift::way),
      hidden({"way_of_run", "|run minus start|: how far the run's tensor moved."}, &Drift::way_of_run),
      {.key = "effective",
       .about = "Drift of a compensated tensor plus its residue tensor, which keeps the missing part.",
       .unit = "share",
       .value = [](const Line& line) { return value_of(line.of.effective); }},
      hidden({"broken", "Number of elements that are not finite in the run but finite in exact arithmetic."},
             &Drift::broken),
      number_column<Line>({"segments", "Number of segments in which the tensor was written."},
                          [](const Line& line) { return line.of.segments; }, "written in", text::count, {.spare = 1}),
      hidden({"tensors", "Number of tensors that the row combines. The other values are those of the worst tensor."},
             &Drift::tensors),
      hidden(
          {"restarts", "Number of times that the recorder missed a change of the tensor and restarted the comparison."},
          &Drift::restarts),
      hidden({"elements", "Number of elements."}, &Drift::elements),
      hidden({"sampled", "Number of elements in the sample that was compared."}, &Drift::sampled)};
}

const ViewOf<Line>& declared_drift() {
  static const ViewOf<Line> kView{
      .name = "drift",
      .columns = joined({drifting_tensors(), drift_figures()}),
      .none = "No tensor was followed over steps.",
      .remedy = "With --inherited, record a program that writes to a tensor in several steps.",
      .notes =
          "A row compares a tensor that is written in several steps with the result of the same updates in exact "
          "arithmetic, over a sample of its elements. This view needs --inherited. Rows of all runs are sorted by class, "
          "the most harmful first, then by `drift`."};
  return kView;
}

}  // namespace

View drift_view(std::vector<queries::DriftRow> rows) {
  const auto rank = [](const Line& line) { return std::pair(-urgency_of(line.of.verdict), -line.of.drift); };
  std::ranges::stable_sort(rows, {}, rank);
  return view_of(declared_drift(), rows);
}

}  // namespace ampprof::views
