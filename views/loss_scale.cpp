// SPDX-License-Identifier: Apache-2.0
#include "precision/advice/loss_scale.h"

#include <algorithm>
#include <map>

#include "reports/text/elide.h"
#include "reports/text/numbers.h"
#include "views/format.h"
#include "views/views.h"

namespace ampprof::views {
namespace {

/// What the scaler of one loss did at one scale.
struct Stay {
  std::int64_t decisions = 0;
  std::int64_t overflows = 0;
  std::int64_t first_step = 0;
  std::int64_t last_step = 0;
};

/// One loss of a run: what its gradients ask for, where it is known, and what its scaler did.
struct Loss {
  const RunRow& run;
  advice::LossScaleAdvice advice;
  std::map<double, Stay> stays;

  const advice::AtScale* shares_at(double scale) const {
    const auto found = std::ranges::find(advice.scales, scale, &advice::AtScale::scale);
    return found == advice.scales.end() ? nullptr : &*found;
  }

  std::string marks_of(double scale) const {
    std::string marks;
    const auto mark = [&](bool applies, const char* text) {
      if (applies) marks += (marks.empty() ? "" : ", ") + std::string(text);
    };
    mark(!stays.empty() && scale == advice.last_scale, "in force at the end");
    mark(advice.static_scale == scale, "advised if static");
    mark(advice.init_scale == scale, "advised to begin with");
    return marks;
  }
};

std::vector<Loss> losses_of(const RunRow& run, const std::vector<OpRow>& ops, const std::vector<ScaleRow>& scales) {
  std::map<std::int32_t, std::map<double, Stay>> stays;
  std::map<std::int32_t, double> last;
  for (const ScaleRow& row : scales) {
    Stay& stay = stays[row.update.loss_id][row.update.scale_before];
    if (stay.decisions++ == 0) stay.first_step = row.step;
    stay.last_step = row.step;
    stay.overflows += row.update.overflow ? 1 : 0;
    stays[row.update.loss_id][row.update.scale_after];
    last[row.update.loss_id] = row.update.scale_after;
  }
  std::vector<Loss> losses;
  for (advice::LossScaleAdvice& advice : advice::loss_scale_advice(ops, scales)) {
    auto own = stays.extract(advice.loss_id);
    losses.push_back({run, std::move(advice), own ? std::move(own.mapped()) : std::map<double, Stay>()});
  }
  for (auto& [loss_id, own] : stays) {  // scalers without half gradients to judge
    advice::LossScaleAdvice advice;
    advice.loss_id = loss_id;
    advice.last_scale = last[loss_id];
    losses.push_back({run, advice, std::move(own)});
  }
  return losses;
}

Json to_json(const Loss& loss, double scale, const advice::AtScale* at, const Stay& stay) {
  const advice::LossScaleAdvice& advice = loss.advice;
  return {{"run", loss.run.run},
          {"level", text_or_null(loss.run.level)},
          {"loss_id", advice.loss_id},
          {"scale", exact(scale)},
          {"flushed_share", at ? exact(at->shares.rounds_to_zero) : Json()},
          {"subnormal_share", at ? exact(at->shares.subnormal) : Json()},
          {"would_overflow", at ? Json(at->overflows) : Json()},
          {"is_bound", at ? Json(advice.is_bound) : Json()},
          {"decisions", stay.decisions},
          {"overflows", stay.overflows},
          {"first_step", stay.decisions > 0 ? Json(stay.first_step) : Json()},
          {"last_step", stay.decisions > 0 ? Json(stay.last_step) : Json()},
          {"last_scale", exact(advice.last_scale)},
          {"scale_changed", advice.scale_changed},
          {"largest_safe_scale", exact(advice.largest_safe_scale)},
          {"static_scale", exact(advice.static_scale)},
          {"init_scale", exact(advice.init_scale)}};
}

std::string bounded(double share, bool is_bound) { return (is_bound ? ">= " : "") + text::percent(share); }

std::vector<Cell> cells_of(const Loss& loss, double scale, const advice::AtScale* at, const Stay& stay) {
  const std::string steps = stay.decisions == 0
                                ? std::string(text::kAbsent)
                                : std::to_string(stay.first_step) + "-" + std::to_string(stay.last_step);
  return {{text::printable(loss.run.level.empty() ? std::to_string(loss.run.run) : loss.run.level), text::Tone::Strong},
          {std::to_string(loss.advice.loss_id)},
          {text::plain(scale)},
          {at ? bounded(at->shares.rounds_to_zero, loss.advice.is_bound) : std::string(text::kAbsent)},
          {at ? text::percent(at->shares.subnormal) : std::string(text::kAbsent)},
          {at == nullptr   ? std::string(text::kAbsent)
           : at->overflows ? "no"
                           : "yes",
           at && at->overflows ? text::Tone::Bad : text::Tone::Plain},
          {stay.decisions == 0 ? std::string(text::kAbsent) : text::count(stay.decisions)},
          {steps},
          {stay.decisions == 0 ? std::string(text::kAbsent) : text::count(stay.overflows),
           stay.overflows > 0 ? text::Tone::Attention : text::Tone::Plain},
          {loss.marks_of(scale), text::Tone::Good}};
}

std::map<double, Stay, std::greater<>> scales_of(const Loss& loss) {
  std::map<double, Stay, std::greater<>> scales(loss.stays.begin(), loss.stays.end());
  for (const advice::AtScale& at : loss.advice.scales) scales.try_emplace(at.scale);
  for (const auto& advised : {loss.advice.static_scale, loss.advice.init_scale}) {
    if (advised) scales.try_emplace(*advised);
  }
  return scales;
}

}  // namespace

View loss_scale_view(const std::vector<RunRow>& runs, const std::vector<OpRow>& ops,
                     const std::vector<ScaleRow>& scales) {
  View view{.name = "loss-scale",
            .keys = {"run", "level", "loss_id", "scale", "flushed_share", "subnormal_share", "would_overflow",
                     "is_bound", "decisions", "overflows", "first_step", "last_step", "last_scale", "scale_changed",
                     "largest_safe_scale", "static_scale", "init_scale"},
            .columns = {{.title = "run", .key = "level"},
                        {.title = "loss", .align = Align::Right, .spare = 4, .key = "loss_id"},
                        {.title = "scale", .align = Align::Right, .key = "scale"},
                        {.title = "flushed", .align = Align::Right, .key = "flushed_share"},
                        {.title = "subnormal", .align = Align::Right, .spare = 2, .key = "subnormal_share"},
                        {.title = "fits", .key = "would_overflow"},
                        {.title = "passes", .align = Align::Right, .spare = 1, .key = "decisions"},
                        {.title = "steps", .align = Align::Right, .spare = 3, .key = "first_step"},
                        {.title = "overflows", .align = Align::Right, .spare = 1, .key = "overflows"},
                        {.title = "", .flexible = true}},
            .records = {},
            .wraps = true,
            .none = "The report holds no loss scale and no FP16 gradient of known scale."};
  const auto of_run = [](const auto& rows, std::int64_t run) {
    std::remove_cvref_t<decltype(rows)> own;
    std::ranges::copy_if(rows, std::back_inserter(own), [&](const auto& row) { return row.run == run; });
    return own;
  };
  for (const RunRow& run : runs) {
    for (const Loss& loss : losses_of(run, of_run(ops, run.run), of_run(scales, run.run))) {
      for (const auto& [scale, stay] : scales_of(loss)) {
        const advice::AtScale* at = loss.shares_at(scale);
        view.records.push_back({to_json(loss, scale, at, stay), cells_of(loss, scale, at, stay)});
      }
    }
  }
  return view;
}

}  // namespace ampprof::views
