// SPDX-License-Identifier: Apache-2.0
#include "views/advice.h"

#include <fmt/format.h>

#include <algorithm>

#include "reports/text/elide.h"
#include "reports/text/numbers.h"

namespace ampprof::views {
namespace {

Json to_json(const advice::Registration& registration) {
  return {{"op", registration.op},
          {"module", text_or_null(registration.module)},
          {"precision", "fp32"},
          {"because", registration.because},
          {"loss_impact", exact(registration.loss_impact)},
          {"overflows", registration.overflows},
          {"cost_us", exact(registration.cost_us)},
          {"cast_bytes", registration.cast_bytes},
          {"call_sites", registration.call_sites}};
}

Json to_json(const advice::Ranked& ranked, advice::Basis basis) {
  const bool by_impact = basis == advice::Basis::LossImpact;
  return {{"op", ranked.op},
          {"module", text_or_null(ranked.module)},
          {"loss_impact_rms", by_impact ? exact(ranked.weight) : Json()},
          {"share", by_impact ? exact(ranked.share) : Json()},
          {"local_rel_l2", by_impact ? Json() : exact(ranked.weight)},
          {"overflows", ranked.overflows}};
}

std::vector<Cell> cells_of(const advice::Registration& registration) {
  return {{text::printable(registration.op), text::Tone::Strong},
          {registration.module.empty() ? "everywhere" : text::printable(registration.module)},
          {text::shown(registration.loss_impact, text::scientific)},
          {text::count(registration.overflows), registration.overflows > 0 ? text::Tone::Bad : text::Tone::Plain},
          {text::shown(registration.cost_us, text::microseconds)},
          {text::printable(registration.because)}};
}

std::string cost_of(const advice::Advice& advice) {
  if (!advice.cost_us) return "";
  return fmt::format("; a step takes {} {}", text::microseconds(std::abs(*advice.cost_us)),
                     *advice.cost_us < 0 ? "less" : "more");
}

std::string heading_of(const advice::Advice& advice, const RunRow& run) {
  const std::string of = fmt::format("run {}{}", run.run, run.level.empty() ? "" : " at " + text::printable(run.level));
  const auto functions = static_cast<std::int64_t>(advice.policy.size());
  if (functions == 0) return fmt::format("Nothing to register, by {}.", of);
  std::string text = fmt::format("Register {} as FP32, by {}", text::counted(functions, "function"), of);
  if (advice.impact_before && advice.impact_after) {
    text += fmt::format(": the predicted change of the loss falls from {} to {}",
                        text::scientific(*advice.impact_before), text::scientific(*advice.impact_after));
  }
  return text + cost_of(advice) + '.';
}

}  // namespace

View advice_view(const advice::Advice& advice) {
  View view{.name = "advise",
            .keys = {"op", "module", "precision", "because", "loss_impact", "overflows", "cost_us", "cast_bytes",
                     "call_sites"},
            .columns = {{"function"},
                        {.title = "in module", .flexible = true},
                        {"impact", Align::Right},
                        {.title = "overflows", .align = Align::Right, .spare = 1},
                        {.title = "cost/step", .align = Align::Right, .spare = 2},
                        {.title = "because", .flexible = true}},
            .records = {},
            .wraps = true,
            .none = "No function needs to be registered."};
  for (const advice::Registration& registration : advice.policy) {
    view.records.push_back({to_json(registration), cells_of(registration)});
  }
  return view;
}

Json to_json(const advice::Advice& advice, const RunRow& run) {
  Json policy = Json::array();
  for (const advice::Registration& registration : advice.policy) policy.push_back(to_json(registration));
  Json ranking = Json::array();
  for (const advice::Ranked& ranked : advice.ranking) ranking.push_back(to_json(ranked, advice.basis));
  return {{"policy", policy},
          {"predicted_loss_impact_before", exact(advice.impact_before)},
          {"predicted_loss_impact_after", exact(advice.impact_after)},
          {"predicted_cost_us", exact(advice.cost_us)},
          {"run", run.run},
          {"level", text_or_null(run.level)},
          {"basis", advice.basis == advice::Basis::LossImpact ? "loss_impact" : "local_error"},
          {"tolerance", exact(advice.tolerance)},
          {"ranking", ranking},
          {"notes", advice.notes}};
}

std::string formatted(const advice::Advice& advice, const RunRow& run, Format format, const text::Terminal& terminal) {
  if (format == Format::Json) return to_text(to_json(advice, run));
  const View view = advice_view(advice);
  if (format == Format::Csv) return formatted(view, format, terminal);
  const bool is_table = format == Format::Table;
  const auto line = [&](const std::string& text) {
    if (!is_table) return text + '\n';
    std::string lines;
    for (const std::string& part : text::wrap(text, terminal.width, 2)) lines += part + '\n';
    return lines;
  };
  std::string text = line(heading_of(advice, run));
  if (!view.records.empty()) text += '\n' + formatted(view, format, terminal);
  if (!advice.notes.empty()) text += '\n';
  for (const std::string& note : advice.notes) text += line((is_table ? "" : "- ") + text::printable(note));
  return text;
}

}  // namespace ampprof::views
