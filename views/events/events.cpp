// SPDX-License-Identifier: Apache-2.0
#include "reports/queries/events.h"

#include <algorithm>

#include "analysis/ops/op_figures.h"
#include "reports/records/event.h"
#include "reports/text/elide.h"
#include "reports/text/numbers.h"
#include "views/events/event_text.h"
#include "views/events/views.h"
#include "views/ops/site_columns.h"
#include "views/ops/views.h"
#include "views/table/column.h"

namespace ampprof::views {
namespace {

Json to_json(const EventParameter& parameter) {
  Json over;
  if (parameter.finite_amax) over = exact(*parameter.finite_amax / analysis::kLargestHalf);
  return {{"name", parameter.name},
          {"nan", parameter.nan},
          {"inf", parameter.inf},
          {"finite_amax", exact(parameter.finite_amax)},
          {"over_65504", over}};
}

std::string names_of(const std::vector<EventParameter>& parameters) {
  std::string names;
  for (const EventParameter& parameter : parameters)
    names += (names.empty() ? "" : ", ") + text::printable(parameter.name);
  return names.empty() ? std::string(text::kAbsent) : names;
}

std::string safe_scale_of(const queries::EventRow& event) {
  const std::string scale = text::shown(event.largest_safe_scale, text::plain);
  return event.largest_safe_scale && event.largest_safe_scale_is_bound ? "<= " + scale : scale;
}

std::string first_op_of(const queries::EventRow& event) {
  if (event.first_op.empty()) return "unknown";
  return event.first_op_phase ? short_site(event.first_op, *event.first_op_phase) : text::printable(event.first_op);
}

Value parameters_of(const queries::EventRow& event) {
  Json parameters = Json::array();
  for (const EventParameter& parameter : event.parameters) parameters.push_back(to_json(parameter));
  return parameters;
}

/// Returns a function that reads a number of the loss scaler from an event. The function returns nullopt for an event
/// that no scaler saw.
template <class Number>
auto of_scaler(Number queries::EventRow::*number) {
  return [number](const queries::EventRow& event) {
    return event.by_scaler ? std::optional(event.*number) : std::nullopt;
  };
}

using EventColumns = std::vector<ColumnOf<queries::EventRow>>;

EventColumns event_identity() {
  return {number_column<queries::EventRow>({"run", "Number of the run in the report."}, &queries::EventRow::run, "run",
                                           digits, {.spare = kSpareIfSame}),
          {.key = "level",
           .about = "Opt level of the run: O0 to O3. Null if the program sets its own precision.",
           .value = [](const queries::EventRow& event) { return known(event.level); },
           .title = "level",
           .cell = [](const queries::EventRow& event) -> Cell {
             return {text::printable(event.level), text::Tone::Strong};
           }},
          number_column<queries::EventRow>({"step", "Step in which the event began, from 1."}, &queries::EventRow::step,
                                           "step", digits),
          number_column<queries::EventRow>(
              {"micro_batch",
               "Index of the backward pass within the segment, from 1: the pass in which the event began, else the "
               "next pass. Null if neither exists."},
              &queries::EventRow::micro_batch, "micro-batch", digits, {.spare = 4}),
          number_column<queries::EventRow>(
              {"loss_id", "Index of the loss, from 0. Null unless a loss scaler saw the event."},
              of_scaler(&queries::EventRow::loss_id), "loss", digits, {.spare = 4})};
}

EventColumns event_scales() {
  return {{.key = "by_scaler", .about = "True if a loss scaler saw the event.", .value = &queries::EventRow::by_scaler},
          number_column<queries::EventRow>(
              {"scale_before", "Loss scale before the event. Null unless a loss scaler saw it."},
              of_scaler(&queries::EventRow::scale_before), "scale", text::plain, {.spare = 2}),
          number_column<queries::EventRow>(
              {"scale_after", "Loss scale after the event. Null unless a loss scaler saw it."},
              of_scaler(&queries::EventRow::scale_after), "new scale", text::plain, {.spare = 3}),
          {.key = "skipped", .about = "True if the update was skipped.", .value = &queries::EventRow::skipped}};
}

EventColumns event_origin() {
  return {
      {.key = "first_op",
       .about = "Call site that made NaN or inf from finite values. Null if unknown.",
       .value = [](const queries::EventRow& event) { return known(event.first_op); },
       .title = "origin",
       .cell = [](const queries::EventRow& event) -> Cell {
         return {first_op_of(event), text::Tone::Bad};
       },
       .flexible = true},
      {.key = "first_op_phase",
       .about = "Phase of the call site that made NaN or inf.",
       .value = [](const queries::EventRow& event) { return word_of(event.first_op_phase); }},
      {.key = "cause",
       .about = "Cause: too large, division by 0, log of 0 or less, root of a negative number, inf - inf, 0 * inf, all "
                "masked, received or unknown.",
       .value = [](const queries::EventRow& event) { return known(name_of(event.cause)); },
       .title = "cause",
       .cell = [](const queries::EventRow& event) -> Cell { return {cause_text(event)}; },
       .flexible = true,
       .behind = "first_op_source"},
      {.key = "value",
       .about = "Largest value of the result in exact arithmetic. Null if that value is not finite, or unknown.",
       .value = [](const queries::EventRow& event) { return value_of(event.value); }},
      {.key = "fp32_holds",
       .about = "True if the result, computed from the inputs that the call received, fits FP32. Null if it was not "
                "computed.",
       .value = [](const queries::EventRow& event) { return value_of(event.fp32_holds); },
       .title = "FP32 holds it",
       .cell = [](const queries::EventRow& event) -> Cell { return {fp32_text(event)}; },
       .flexible = true,
       .behind = "cause"},
      {.key = "shadow_holds",
       .about = "True if the result, computed from the inputs that the step has in exact arithmetic (--inherited), "
                "fits FP32. Null if it was not computed.",
       .value = [](const queries::EventRow& event) { return value_of(event.shadow_holds); }}};
}

EventColumns event_outcome() {
  return {{.key = "outcome",
           .about = "Worst outcome of the NaN or inf: nothing, masked, clamped, result (of inference), loss, gradient, "
                    "buffer, weight or skipped.",
           .value = [](const queries::EventRow& event) { return known(name_of(event.outcome)); },
           .title = "outcome",
           .cell = [](const queries::EventRow& event) -> Cell {
             return {outcome_text(event), text::Tone::Attention};
           },
           .flexible = true,
           .behind = "fp32_holds"},
          {.key = "reached",
           .about = "Parameter or statistic that NaN or inf reached.",
           .value = [](const queries::EventRow& event) { return known(event.reached); }},
          {.key = "outcome_op",
           .about = "Call site of the outcome: the op that wrote NaN or inf to `reached`, or that made them finite.",
           .value = [](const queries::EventRow& event) { return known(event.outcome_op); }},
          {.key = "calls",
           .about = "Number of calls of the call site that the event covers.",
           .value = &queries::EventRow::calls},
          {.key = "steps",
           .about =
               "Number of steps that the event covers. After 100 steps, the events of a call site are merged into one.",
           .unit = "steps",
           .value = &queries::EventRow::steps}};
}

EventColumns event_spread() {
  return {source_column<queries::EventRow>(
              {"first_op_source", "Line of the program that makes the first call, as FILE:LINE."},
              &queries::EventRow::first_op_source, "source", "first_op"),
          {.key = "parameters",
           .about = "Parameters whose gradients are not finite: `name`, `nan`, `inf`, `finite_amax` and `over_65504`.",
           .value = parameters_of,
           .title = "parameters",
           .cell = [](const queries::EventRow& event) -> Cell { return {names_of(event.parameters)}; },
           .flexible = true,
           .behind = "largest_safe_scale"},
          {.key = "chain",
           .about = "Call sites that NaN or inf spread through.",
           .value = [](const queries::EventRow& event) -> Value { return Json(event.chain); }},
          {.key = "largest_safe_scale",
           .about = "Largest loss scale at which the gradients fit FP16.",
           .value = [](const queries::EventRow& event) { return value_of(event.largest_safe_scale); },
           .title = "safe scale",
           .cell = [](const queries::EventRow& event) -> Cell { return {safe_scale_of(event)}; },
           .align = Align::Right,
           .spare = 3},
          {.key = "largest_safe_scale_is_bound",
           .about = "True if `largest_safe_scale` is only an upper bound.",
           .value = &queries::EventRow::largest_safe_scale_is_bound}};
}

const ViewOf<queries::EventRow>& declared_events() {
  static const ViewOf<queries::EventRow> kView{
      .name = "events",
      .columns = joined({event_identity(), event_scales(), event_origin(), event_outcome(), event_spread()}),
      .none = "No op made NaN or inf from finite values, and no gradient overflowed.",
      .wraps = true,
      .notes =
          "A row is a call site that made NaN or inf from finite values in a step, whether a loss scaler saw the event "
          "or not. In the view runs, `overflow_events` counts the events that a loss scaler saw, and "
          "`nonfinite_events` counts all events."};
  return kView;
}

}  // namespace

Json to_json(const queries::EventRow& event) { return json_of(declared_events().columns, event); }

View events_view(const std::vector<queries::EventRow>& events) {
  const auto has_several = [](const queries::EventRow& event) { return event.micro_batch.value_or(1) > 1; };
  std::vector<std::string_view> hidden;
  if (std::ranges::none_of(events, has_several)) hidden.push_back("micro_batch");
  return view_of(declared_events(), events, hidden);
}

}  // namespace ampprof::views
