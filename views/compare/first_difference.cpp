// SPDX-License-Identifier: Apache-2.0
#include "views/compare/first_difference.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "reports/queries/sketches.h"
#include "reports/text/elide.h"
#include "reports/text/listed.h"
#include "reports/text/numbers.h"
#include "views/ops/site_columns.h"
#include "views/ops/views.h"
#include "views/table/column.h"

namespace ampprof::views {
namespace {

using compare::DifferingCall;
using compare::FirstDifference;

constexpr std::size_t kShownCalls = 20;
constexpr std::size_t kCurve = 60;  // width of the curve in characters
constexpr std::size_t kNamedOps = 4;

const ViewOf<DifferingCall>& declared_calls() {
  static const ViewOf<DifferingCall> kView{
      .name = "first-difference",
      .columns =
          {number_column<DifferingCall>(
               {"step", "Step, from 1."}, [](const DifferingCall& call) { return call.a->step; }, "step", text::count),
           {.key = "call_site",
            .about = "Compared call site.",
            .value = [](const DifferingCall& call) -> Value { return call.a->call_site; },
            .title = "call site",
            .cell = [](const DifferingCall& call) -> Cell { return {short_site(call.a->call_site, call.a->phase)}; },
            .flexible = true},
           {.key = "phase",
            .about = "Phase: forward, recompute, backward, optimizer or inference.",
            .value = [](const DifferingCall& call) { return word_of(call.a->phase); }},
           {.key = "module",
            .about = "Path of the module that calls the op.",
            .value = [](const DifferingCall& call) -> Value { return call.a->module; }},
           {.key = "op",
            .about = "Name of the op.",
            .value = [](const DifferingCall& call) -> Value { return call.a->op; }},
           source_column<DifferingCall>(
               {"source", "Line of the program that makes the call, as FILE:LINE."},
               [](const DifferingCall& call) { return call.a->source; }, "source", "", 2),
           {.key = "inputs_same",
            .about = "True if the bits of the inputs are the same on both sides.",
            .value = [](const DifferingCall& call) -> Value { return call.inputs_same; },
            .title = "inputs",
            .cell = [](const DifferingCall& call) -> Cell {
              return {call.inputs_same ? "same" : "differ", call.inputs_same ? text::Tone::Strong : text::Tone::Plain};
            }},
           {.key = "elements_a",
            .about = "Number of output elements of side A.",
            .value = [](const DifferingCall& call) -> Value { return call.a->sketch.elements; }},
           {.key = "elements_b",
            .about = "Number of output elements of side B.",
            .value = [](const DifferingCall& call) -> Value { return call.b->sketch.elements; }},
           {.key = "norm_a",
            .about = "L2 norm of the output of side A.",
            .value = [](const DifferingCall& call) -> Value { return std::sqrt(call.a->sketch.sum_sq); }},
           number_column<DifferingCall>(
               {"distance",
                "Estimated L2 norm of the difference between the outputs, with a standard deviation of 9 %."},
               &DifferingCall::distance, "distance", text::scientific, {.spare = 3}),
           number_column<DifferingCall>({"relative", "`distance` divided by the larger of the two output norms."},
                                        &DifferingCall::relative, "relative", text::scientific),
           {.key = "noise",
            .about = "Noise: the largest `relative` between repeats of a side.",
            .value = [](const DifferingCall& call) -> Value { return call.noise; },
            .title = "of repeats",
            .cell = [](const DifferingCall& call) -> Cell {
              return {call.noise > 0 ? text::scientific(call.noise) : std::string(text::kAbsent)};
            },
            .align = Align::Right,
            .spare = 4},
           {.key = "beyond_noise",
            .about = "True if the call differs more between the sides than between repeats.",
            .value = [](const DifferingCall& call) -> Value { return call.beyond_noise; }}},
      .none = "No call differs."};
  return kView;
}

/// Draws the relative distances of calls in program order: "1e-08 ▁▂▅▇ 3e-02", smallest value, curve, largest value.
/// Each character shows the largest distance among some consecutive calls, on a logarithmic scale.
std::string curve_of(const std::vector<double>& relative) {
  constexpr std::array kBlocks{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  std::vector<double> largest(std::min(kCurve, relative.size()), 0.0);
  for (std::size_t i = 0; i < relative.size(); ++i) {
    double& cell = largest[i * largest.size() / relative.size()];
    cell = std::max(cell, relative[i]);
  }
  std::erase(largest, 0.0);
  if (largest.empty()) return {};
  const auto [low, high] = std::ranges::minmax(largest);
  const double range = std::log(high / low);
  std::string curve;
  for (const double value : largest) {
    const double height = range > 0 ? std::log(value / low) / range : 0.0;
    curve += kBlocks.at(static_cast<std::size_t>(std::min(7.0, height * 8.0)));
  }
  return text::scientific(low) + ' ' + curve + ' ' + text::scientific(high);
}

std::string size_of_difference(const DifferingCall& call) {
  if (!call.distance) {
    return fmt::format("The outputs have {} elements on the first side and {} on the second.", call.a->sketch.elements,
                       call.b->sketch.elements);
  }
  if (!call.relative || *call.relative == 0.0) {
    return "The bits of the outputs differ, but their distance is undefined (integers, NaN, or 0 and -0).";
  }
  return fmt::format("The outputs differ by about {} of their norm.", text::scientific(*call.relative));
}

std::string calls(std::size_t n) { return text::counted(static_cast<std::int64_t>(n), "call"); }

/// Returns the names of the called ops, without duplicates.
std::vector<std::string> ops_of(const std::vector<const queries::SketchRow*>& rows) {
  std::vector<std::string> ops;
  for (const queries::SketchRow* row : rows) {
    if (std::ranges::find(ops, row->op) == ops.end()) ops.push_back(row->op);
  }
  return ops;
}

/// Returns "3 calls only on the first side (ge.Scalar and le.Scalar)"; "" if there are none.
std::string calls_only(const std::vector<const queries::SketchRow*>& rows, std::string_view side) {
  if (rows.empty()) return {};
  std::vector<std::string> ops = ops_of(rows);
  if (ops.size() > kNamedOps) {
    const auto others = ops.size() - kNamedOps;
    ops.resize(kNamedOps);
    ops.push_back(text::counted(static_cast<std::int64_t>(others), "other"));
  }
  return fmt::format("{} only on the {} side ({})", calls(rows.size()), side, text::printable(text::listed(ops)));
}

/// Returns a sentence on calls that only one side made before the first differing call, since such a call may have
/// caused the difference; "" if there are none, or if the inputs of the differing call are the same.
std::string before_the_first(const FirstDifference& found) {
  if (found.only_before == 0 || found.differing[*found.first].inputs_same) return {};
  return fmt::format(" Before this call, {} on one side only: the difference may arise there.",
                     found.only_before == 1 ? "1 call is" : calls(found.only_before) + " are");
}

FirstDifference from_the_first(const FirstDifference& found) {
  FirstDifference rest = found;
  const auto skipped = static_cast<std::ptrdiff_t>(found.first.value_or(found.differing.size()));
  rest.differing.erase(rest.differing.begin(), rest.differing.begin() + skipped);
  return rest;
}

Json json_of_pair(const ComparedSides& pair) {
  Json calls = Json::array();
  for (const Record& record : first_difference_view(pair.found).records) calls.push_back(record.json);
  return {{"a", pair.a},
          {"b", pair.b},
          {"compared", pair.found.compared},
          {"only_a", pair.found.only_a.size()},
          {"only_b", pair.found.only_b.size()},
          {"ops_only_a", ops_of(pair.found.only_a)},
          {"ops_only_b", ops_of(pair.found.only_b)},
          {"only_before", pair.found.only_before},
          {"differing", pair.found.differing.size()},
          {"first", calls.empty() ? Json() : calls.front()},
          {"calls", calls}};
}

std::string for_people(const ComparedSides& pair, Format format, const text::Terminal& terminal) {
  std::string text = wrapped({text::printable(pair.a + " against " + pair.b), text::Tone::Strong}, terminal);
  for (const Sentence& sentence : sentences_of(pair.found)) text += wrapped(sentence, terminal);
  View view = first_difference_view(pair.found);
  if (view.records.empty()) return text;
  if (const std::string curve = curve_of(growth_of(pair.found)); !curve.empty()) {
    text += wrapped({"Relative distance: " + curve, text::Tone::Plain}, terminal);
  }
  const std::size_t all = view.records.size();
  view.records.resize(std::min(all, kShownCalls));
  text += '\n' + formatted(view, format, terminal);
  if (all <= kShownCalls) return text;
  return text + wrapped({fmt::format("{} more: --format json", all - kShownCalls), text::Tone::Faint}, terminal);
}

}  // namespace

std::vector<Sentence> sentences_of(const FirstDifference& found) {
  std::vector<Sentence> said;
  if (found.compared == 0) {
    said.push_back(
        {"No call has a sketch on both sides. Record sketches: ampprof run --sketch ...", text::Tone::Attention});
    return said;
  }
  if (!found.first) {
    const std::string noise = found.differing.empty() ? "" : " by more than repeats do";
    said.push_back({fmt::format("No call differs{}: {} compared.", noise, calls(found.compared)), text::Tone::Good});
  } else {
    const DifferingCall& first = found.differing[*found.first];
    const std::string source =
        first.a->source.empty() ? "" : " at " + text::printable(text::short_source(first.a->source));
    said.push_back({fmt::format("The first call that differs is {}{}, in step {}.", text::printable(first.a->call_site),
                                source, first.a->step),
                    text::Tone::Attention});
    said.push_back({size_of_difference(first) +
                    (first.inputs_same ? " The inputs have the same bits on both sides." : " The inputs differ, too.") +
                    before_the_first(found)});
    said.push_back({fmt::format("{} of {} differ.", found.differing.size(), calls(found.compared))});
  }
  const std::string only_a = calls_only(found.only_a, "first");
  const std::string only_b = calls_only(found.only_b, "second");
  if (!only_a.empty() || !only_b.empty()) {
    said.push_back({only_a + (only_a.empty() || only_b.empty() ? "" : ", ") + only_b + '.', text::Tone::Attention});
  }
  return said;
}

std::vector<double> growth_of(const FirstDifference& found) {
  std::vector<double> growth;
  for (const DifferingCall& call : from_the_first(found).differing) growth.push_back(call.relative.value_or(0.0));
  return growth;
}

View first_difference_view(const FirstDifference& found) {
  return view_of(declared_calls(), from_the_first(found).differing);
}

std::string formatted(const std::vector<ComparedSides>& pairs, Format format, const text::Terminal& terminal) {
  if (format == Format::Csv) {
    return pairs.empty() ? "" : formatted(first_difference_view(pairs.front().found), format, terminal);
  }
  if (format == Format::Json) {
    Json comparisons = Json::array();
    for (const ComparedSides& pair : pairs) comparisons.push_back(json_of_pair(pair));
    return to_text({{"comparisons", comparisons}});
  }
  std::string text;
  for (const ComparedSides& pair : pairs) text += (text.empty() ? "" : "\n") + for_people(pair, format, terminal);
  return text;
}

}  // namespace ampprof::views
