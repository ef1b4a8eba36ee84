// SPDX-License-Identifier: Apache-2.0
#include "precision/advice/loss_scale.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>

#include "reports/queries/ops.h"
#include "reports/queries/run_names.h"
#include "reports/queries/scales.h"
#include "reports/text/elide.h"
#include "reports/text/numbers.h"
#include "views/losses/views.h"
#include "views/ops/site_columns.h"
#include "views/table/column.h"

namespace ampprof::views {
namespace {

/// The decisions of the scaler of one loss at one scale.
struct Stay {
  std::int64_t decisions = 0;
  std::int64_t overflows = 0;
  std::int64_t first_step = 0;
  std::int64_t last_step = 0;
};

/// One loss of a run: advice on the loss scale, and the decisions of the loss scaler at each scale.
struct Loss {
  const queries::RunName& run;
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
    mark(advice.none_fits() && scale == 1, "no scale of 1 or more fits: keep these gradients in FP32 or BF16");
    mark(advice.static_scale == scale, "advised if static");
    mark(advice.init_scale == scale, "advised as first scale");
    return marks;
  }
};

std::vector<Loss> losses_of(const queries::RunName& run, const std::vector<queries::OpRow>& ops,
                            const std::vector<queries::ScaleRow>& scales) {
  std::map<std::int32_t, std::map<double, Stay>> stays;
  std::map<std::int32_t, double> last;
  for (const queries::ScaleRow& row : scales) {
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
  for (auto& [loss_id, own] : stays) {  // the scalers of the remaining losses have no FP16 gradients to judge
    advice::LossScaleAdvice advice;
    advice.loss_id = loss_id;
    advice.last_scale = last[loss_id];
    losses.push_back({run, advice, std::move(own)});
  }
  return losses;
}

/// A row of the view: one loss at one scale. The referenced objects must outlive the row.
struct LossAtScale {
  std::int64_t run;
  const std::string& level;
  const Loss& loss;
  double scale;
  const advice::AtScale* gradients;  ///< null if unknown
  Stay stay;
};

using LossScaleColumns = std::vector<ColumnOf<LossAtScale>>;

Value decided(const LossAtScale& line, std::int64_t step) { return line.stay.decisions > 0 ? Value(step) : Value(); }

Cell flushed_cell(const LossAtScale& line) {
  if (line.gradients == nullptr) return {std::string(text::kAbsent)};
  return {(line.loss.advice.is_bound ? ">= " : "") + text::percent(line.gradients->shares.rounds_to_zero)};
}

Cell fits_cell(const LossAtScale& line) {
  if (line.gradients == nullptr) return {std::string(text::kAbsent)};
  return line.gradients->overflows ? Cell{"no", text::Tone::Bad} : Cell{"yes"};
}

Cell passes_cell(const LossAtScale& line) {
  return {line.stay.decisions == 0 ? std::string(text::kAbsent) : text::count(line.stay.decisions)};
}

Cell steps_cell(const LossAtScale& line) {
  if (line.stay.decisions == 0) return {std::string(text::kAbsent)};
  return {std::to_string(line.stay.first_step) + "-" + std::to_string(line.stay.last_step)};
}

Cell scale_overflows_cell(const LossAtScale& line) {
  if (line.stay.decisions == 0) return {std::string(text::kAbsent)};
  return attention_if_any(line.stay.overflows);
}

LossScaleColumns scaled_losses() {
  return {run_id<LossAtScale>(), run_level<LossAtScale>(),
          number_column<LossAtScale>({"loss_id", "Index of the loss, from 0. A program can have several losses."},
                                     [](const LossAtScale& line) { return line.loss.advice.loss_id; }, "loss", digits,
                                     {.spare = 4}),
          number_column<LossAtScale>({"scale", "Loss scale: one that occurred or is advised, or a power of two."},
                                     &LossAtScale::scale, "scale", text::plain)};
}

LossScaleColumns gradients_at_scale() {
  const auto of_gradients = [](auto figure) {
    return [figure](const LossAtScale& line) -> Value { return line.gradients ? Value(figure(line)) : Value(); };
  };
  return {{.key = "flushed_share",
           .about = "Share of the gradient values that FP16 flushes to 0 at this scale.",
           .value = of_gradients([](const LossAtScale& line) { return line.gradients->shares.rounds_to_zero; }),
           .title = "flushed",
           .cell = flushed_cell,
           .align = Align::Right},
          number_column<LossAtScale>(
              {"subnormal_share",
               "Share of the gradient values that FP16 keeps as subnormal numbers, with fewer bits, at this scale."},
              [](const LossAtScale& line) {
                return line.gradients ? std::optional(line.gradients->shares.subnormal) : std::nullopt;
              },
              "subnormal", text::percent, {.spare = 2}),
          {.key = "would_overflow",
           .about = "True if the largest gradient overflows at this scale.",
           .value = of_gradients([](const LossAtScale& line) { return line.gradients->overflows; }),
           .title = "fits",
           .cell = fits_cell},
          {.key = "is_bound",
           .about = "True if shares are lower bounds and `largest_safe_scale` is an upper bound.",
           .value = of_gradients([](const LossAtScale& line) { return line.loss.advice.is_bound; })}};
}

LossScaleColumns decisions_at_scale() {
  return {{.key = "decisions",
           .about = "Number of decisions of the loss scaler at this scale.",
           .value = [](const LossAtScale& line) -> Value { return line.stay.decisions; },
           .title = "passes",
           .cell = passes_cell,
           .align = Align::Right,
           .spare = 1},
          {.key = "overflows",
           .about = "Number of overflows that the loss scaler saw at this scale.",
           .value = [](const LossAtScale& line) -> Value { return line.stay.overflows; },
           .title = "overflows",
           .cell = scale_overflows_cell,
           .align = Align::Right,
           .spare = 1,
           .behind = "first_step"},
          {.key = "first_step",
           .about = "First step at this scale.",
           .value = [](const LossAtScale& line) { return decided(line, line.stay.first_step); },
           .title = "steps",
           .cell = steps_cell,
           .align = Align::Right,
           .spare = 3},
          {.key = "last_step", .about = "Last step at this scale.", .value = [](const LossAtScale& line) {
             return decided(line, line.stay.last_step);
           }}};
}

LossScaleColumns advised_scales() {
  const auto of_advice = [](auto figure) {
    return [figure](const LossAtScale& line) { return value_of(std::optional(line.loss.advice.*figure)); };
  };
  return {
      {.key = "last_scale",
       .about = "Loss scale at the end of the run.",
       .value = of_advice(&advice::LossScaleAdvice::last_scale)},
      {.key = "scale_changed",
       .about =
           "True if the row adds up steps at different scales. All steps are treated as if they had the last scale.",
       .value = of_advice(&advice::LossScaleAdvice::scale_changed)},
      {.key = "largest_safe_scale",
       .about = "65504 divided by the largest gradient at scale 1. Null if all gradients are 0.",
       .value = of_advice(&advice::LossScaleAdvice::largest_safe_scale)},
      {.key = "static_scale",
       .about =
           "Advised static loss scale: the largest power of two that leaves a headroom of a factor of 2 to 4. Null if "
           "it would be below 1.",
       .value = of_advice(&advice::LossScaleAdvice::static_scale)},
      {.key = "init_scale",
       .about = "Advised first scale of dynamic loss scaling: the largest power of two that is safe. Null if it would "
                "be below 1.",
       .value = of_advice(&advice::LossScaleAdvice::init_scale)},
      {.about = "Marks of the scale: in force at the end, advised if static, advised as first scale.",
       .title = "note",
       .cell = [](const LossAtScale& line) -> Cell {
         return {line.loss.marks_of(line.scale), text::Tone::Good};
       },
       .flexible = true}};
}

const ViewOf<LossAtScale>& declared_loss_scale() {
  static const ViewOf<LossAtScale> kView{
      .name = "loss-scale",
      .columns = joined({scaled_losses(), gradients_at_scale(), decisions_at_scale(), advised_scales()}),
      .none = "The report holds no loss scale and no FP16 gradient of known scale.",
      .remedy = "Record a loss scale with ampprof run --levels O1.",
      .wraps = true,
      .notes =
          "A row is a loss of a run at a loss scale. Rows show the scales that occurred or are advised, and powers of "
          "two from 1 to twice the largest of these scales."};
  return kView;
}

/// Returns the scales to show, the largest first: scales that occurred, advised scales, and powers of two up to twice
/// the largest such scale. The limit keeps the scale in force among the first rows.
std::map<double, Stay, std::greater<>> scales_of(const Loss& loss) {
  std::map<double, Stay, std::greater<>> scales(loss.stays.begin(), loss.stays.end());
  for (const auto& advised : {loss.advice.static_scale, loss.advice.init_scale}) {
    if (advised) scales.try_emplace(*advised);
  }
  const double last = scales.empty() ? std::numeric_limits<double>::infinity() : 2 * scales.begin()->first;
  for (const advice::AtScale& at : loss.advice.scales) {
    if (at.scale <= last) scales.try_emplace(at.scale);
  }
  return scales;
}

}  // namespace

View loss_scale_view(const std::vector<queries::RunName>& runs, const std::vector<queries::OpRow>& ops,
                     const std::vector<queries::ScaleRow>& scales) {
  const auto of_run = [](const auto& rows, std::int64_t run) {
    std::remove_cvref_t<decltype(rows)> own;
    std::ranges::copy_if(rows, std::back_inserter(own), [&](const auto& row) { return row.run == run; });
    return own;
  };
  std::vector<Loss> losses;
  for (const queries::RunName& run : runs) {
    std::ranges::move(losses_of(run, of_run(ops, run.id), of_run(scales, run.id)), std::back_inserter(losses));
  }
  std::vector<LossAtScale> lines;
  for (const Loss& loss : losses) {
    for (const auto& [scale, stay] : scales_of(loss)) {
      lines.push_back({loss.run.id, loss.run.level, loss, scale, loss.shares_at(scale), stay});
    }
  }
  return view_of(declared_loss_scale(), lines);
}

}  // namespace ampprof::views
