// SPDX-License-Identifier: Apache-2.0
#include "analysis/op_figures.h"
#include "reports/text/elide.h"
#include "reports/text/numbers.h"
#include "views/format.h"
#include "views/views.h"

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

std::string safe_scale_of(const EventRow& event) {
  const std::string scale = text::shown(event.largest_safe_scale, text::plain);
  return event.largest_safe_scale && event.largest_safe_scale_is_bound ? "<= " + scale : scale;
}

std::string first_op_of(const EventRow& event) {
  if (event.first_op.empty()) return "unknown";
  return event.first_op_phase ? short_site(event.first_op, *event.first_op_phase) : text::printable(event.first_op);
}

std::vector<Cell> cells_of(const EventRow& event) {
  return {{std::to_string(event.run)},
          {text::printable(event.level), text::Tone::Strong},
          {std::to_string(event.step)},
          {std::to_string(event.loss_id)},
          {text::plain(event.scale_before)},
          {text::plain(event.scale_after)},
          {event.skipped ? "yes" : "no", event.skipped ? text::Tone::Attention : text::Tone::Plain},
          {first_op_of(event), text::Tone::Bad},
          {safe_scale_of(event)},
          {names_of(event.parameters)}};
}

}  // namespace

Json to_json(const EventRow& event) {
  Json parameters = Json::array();
  for (const EventParameter& parameter : event.parameters) parameters.push_back(to_json(parameter));
  return {{"run", event.run},
          {"level", text_or_null(event.level)},
          {"step", event.step},
          {"loss_id", event.loss_id},
          {"scale_before", exact(event.scale_before)},
          {"scale_after", exact(event.scale_after)},
          {"skipped", event.skipped},
          {"first_op", text_or_null(event.first_op)},
          {"first_op_phase", event.first_op_phase ? Json(name_of(*event.first_op_phase)) : Json()},
          {"parameters", parameters},
          {"chain", event.chain},
          {"largest_safe_scale", exact(event.largest_safe_scale)},
          {"largest_safe_scale_is_bound", event.largest_safe_scale_is_bound}};
}

View events_view(const std::vector<EventRow>& events) {
  View view{.name = "events",
            .keys = {"run", "level", "step", "loss_id", "scale_before", "scale_after", "skipped", "first_op",
                     "first_op_phase", "parameters", "chain", "largest_safe_scale", "largest_safe_scale_is_bound"},
            .columns = {{.title = "run", .align = Align::Right, .spare = 2, .key = "run"},
                        {.title = "level", .key = "level"},
                        {.title = "step", .align = Align::Right, .key = "step"},
                        {.title = "loss", .align = Align::Right, .spare = 1, .key = "loss_id"},
                        {.title = "scale", .align = Align::Right, .key = "scale_before"},
                        {.title = "new scale", .align = Align::Right, .key = "scale_after"},
                        {.title = "skipped", .key = "skipped"},
                        {.title = "first NaN/inf in", .flexible = true, .key = "first_op"},
                        {.title = "safe scale", .align = Align::Right, .spare = 3, .key = "largest_safe_scale"},
                        {.title = "parameters", .flexible = true, .key = "parameters"}},
            .records = {},
            .wraps = true,
            .none = "No gradient overflowed."};
  for (const EventRow& event : events) view.records.push_back({to_json(event), cells_of(event)});
  return view;
}

}  // namespace ampprof::views
