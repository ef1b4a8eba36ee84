// SPDX-License-Identifier: Apache-2.0
#include "views/recipes/probes.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "precision/probe/numerics.h"
#include "reports/text/numbers.h"

namespace ampprof::views {
namespace {

using analysis::MatmulTimings;
using Figure = std::optional<Timing> MatmulTimings::*;

Value ms(const std::optional<Timing>& timing) { return timing ? Value(timing->median_us / 1e3) : Value(); }

Json to_json(const ProbeTime& time) {
  const Timing& timing = time.timing;
  return {{"type", name_of(time.arithmetic)},
          {"padded", time.is_padded},
          {"sizes", time.sizes},
          {"cudnn_benchmark", exact(time.cudnn_benchmark)},
          {"median_ms", exact(timing.median_us / 1e3)},
          {"spread_ms", exact(timing.spread_us / 1e3)},
          {"repeats", timing.repeats},
          {"calls", timing.calls},
          {"sm_mhz_before", exact(timing.sm_mhz_before)},
          {"sm_mhz_after", exact(timing.sm_mhz_after)}};
}

Json times_of(const MatmulTimings& figures) {
  Json times = Json::array();
  for (const ProbeTime& time : figures.times) times.push_back(to_json(time));
  return times;
}

std::string with_spread(const Timing& timing) {
  std::string text = text::microseconds(timing.median_us);
  if (timing.median_us > 0) text += " ±" + text::percent(timing.spread_us / timing.median_us);
  return text;
}

std::string median_text(const Timing& timing) { return text::microseconds(timing.median_us); }

/// Returns the cell of the gain from padding, coloured only if the gain exceeds the noise of the measurements.
Cell gain_cell(const analysis::MatmulTimings& figures) {
  if (!figures.padding_gain) return {std::string(text::kAbsent)};
  const double gain = *figures.padding_gain;
  const std::string text = gain < 0 ? "-" + text::percent(-gain) : text::percent(gain);
  const double noise = figures.padded->spread_us / std::max(figures.padded->median_us, 1e-9);
  if (std::abs(gain) <= noise) return {text};
  return {text, gain > 0 ? text::Tone::Good : text::Tone::Attention};
}

Cell padded_cell(const MatmulTimings& figures) {
  std::string padded = text::shown(figures.padded, median_text);
  if (figures.padded_in && *figures.padded_in != figures.own) {
    padded += " (" + std::string(name_of(*figures.padded_in)) + ")";
  }
  return {padded};
}

/// Returns a function that reads cublasLt's answer. The function returns an absent value if cublasLt was not asked.
template <class Of>
std::function<Value(const Probed&)> of_answer(Of of) {
  return [of](const Probed& line) -> Value { return line.answer == nullptr ? Value() : of(*line.answer); };
}

/// Returns a function that reads cublasLt's algorithm. The function returns an absent value if cublasLt has none.
template <class Of>
std::function<Value(const Probed&)> of_algorithm(Of of) {
  return of_answer([of](const ProbeAlgorithm& answer) -> Value {
    return answer.algorithm ? Value(of(*answer.algorithm)) : Value();
  });
}

/// Returns a function that reads the timings. The function returns an absent value if nothing was timed.
template <class Of>
std::function<Value(const Probed&)> of_figures(Of of) {
  return [of](const Probed& line) -> Value { return line.figures ? Value(of(*line.figures)) : Value(); };
}

template <class Of>
std::function<Cell(const Probed&)> cell_of_figures(Of of) {
  return
      [of](const Probed& line) -> Cell { return line.figures ? of(*line.figures) : Cell{std::string(text::kAbsent)}; };
}

ColumnOf<Probed> type_column(Named named, const char* title, Figure figure, int spare) {
  return {.key = std::move(named.key),
          .about = std::move(named.about),
          .unit = std::move(named.unit),
          .value = of_figures([figure](const MatmulTimings& figures) { return ms(figures.*figure); }),
          .title = title,
          .cell = cell_of_figures(
              [figure](const MatmulTimings& figures) -> Cell { return {text::shown(figures.*figure, median_text)}; }),
          .align = Align::Right,
          .spare = spare};
}

}  // namespace

std::vector<ColumnOf<Probed>> cublaslt_columns() {
  using Algorithm = std::remove_cvref_t<decltype(*ProbeAlgorithm::algorithm)>;
  return {
      {.key = "cublaslt.instruction",
       .about = "Instruction that cublasLt's heuristics choose: HMMA, IMMA, DMMA or FMA.",
       .value = of_algorithm([](const Algorithm& a) { return known(probe::instruction_of(a)); })},
      {.key = "cublaslt.accumulator",
       .about = "Type of the accumulator: fp16, fp32, fp64 or int32.",
       .value = of_algorithm([](const Algorithm& a) { return known(probe::accumulator_of(a)); })},
      {.key = "cublaslt.tile", .about = "Tile, such as 128x256.", .value = of_algorithm([](const Algorithm& a) {
                                                                    return known(a.tile);
                                                                  })},
      {.key = "cublaslt.waves",
       .about = "Number of waves of tiles: 1 fills the GPU once.",
       .value = of_algorithm([](const Algorithm& a) { return value_of(std::optional(a.waves)); })},
      {.key = "cublaslt.split_k",
       .about = "Number of parts that K is split into.",
       .value = of_algorithm([](const Algorithm& a) { return std::int64_t{a.split_k}; })},
      {.key = "cublaslt.stages",
       .about = "cublasLt's identifier of the staging, not a number of stages.",
       .value = of_algorithm([](const Algorithm& a) { return std::int64_t{a.stages}; })},
      {.key = "cublaslt.algorithm",
       .about = "cublasLt's identifier of the algorithm.",
       .value = of_algorithm([](const Algorithm& a) { return std::int64_t{a.id}; })},
      {.key = "cublaslt.workspace_bytes",
       .about = "Workspace that the algorithm needs.",
       .value = of_algorithm([](const Algorithm& a) { return std::int64_t{a.workspace_bytes}; })},
      {.key = "cublaslt.alignment_bytes",
       .about = "Least alignment that the algorithm needs for the left operand, the right operand, C and the result.",
       .value = of_algorithm([](const Algorithm& a) { return Json(a.alignment_bytes); })},
      {.key = "cublaslt.version",
       .about = "Version of cublasLt: 130100 is 13.1.",
       .value = of_answer([](const ProbeAlgorithm& answer) -> Value { return std::int64_t{answer.library_version}; })},
      {.key = "cublaslt.failure",
       .about = "Reason why cublasLt gave no answer. If there is a reason, the other values of cublasLt are null.",
       .value = of_answer([](const ProbeAlgorithm& answer) { return known(answer.failure); })}};
}

std::vector<ColumnOf<Probed>> probe_columns() {
  return {
      {.key = "probe.device",
       .about = "Device on which run --probe timed the matmul alone, after the run.",
       .value = of_figures([](const MatmulTimings& figures) { return figures.device; })},
      {.key = "probe.type",
       .about = "Arithmetic of the run: fp16, bf16, tf32, fp32 or fp64.",
       .value = of_figures([](const MatmulTimings& figures) { return std::string(name_of(figures.own)); })},
      {.key = "probe.as_is_ms",
       .about = "Median time with the sizes, the type and the cudnn.benchmark setting of the run. All probe columns "
                "except `times` use this setting.",
       .value = of_figures([](const MatmulTimings& figures) { return ms(figures.as_run); }),
       .title = "as is",
       .cell = [](const Probed& line) -> Cell {
         if (!line.figures) return {std::string(text::kAbsent)};
         return {text::shown(line.figures->as_run, with_spread), text::Tone::Strong};
       },
       .align = Align::Right},
      {.key = "probe.as_is_spread_ms",
       .about = "Interquartile range of the times of the repeats.",
       .value = of_figures([](const MatmulTimings& figures) {
         return figures.as_run ? Value(figures.as_run->spread_us / 1e3) : Value();
       })},
      {.key = "probe.padded_ms",
       .about = "Median time with the sizes of `tensor_core.padded`.",
       .value = of_figures([](const MatmulTimings& figures) { return ms(figures.padded); }),
       .title = "padded",
       .cell = cell_of_figures(padded_cell),
       .align = Align::Right,
       .spare = 1},
      {.key = "probe.padded_type",
       .about = "Arithmetic of the padded matmul.",
       .value = of_figures([](const MatmulTimings& figures) {
         return figures.padded_in ? known(name_of(*figures.padded_in)) : Value();
       })},
      {.key = "probe.padding_gain",
       .about = "Share of the time that padding saves in the type of the padded matmul. Negative: padding costs time.",
       .unit = "share",
       .value = of_figures([](const MatmulTimings& figures) { return value_of(figures.padding_gain); }),
       .title = "saves",
       .cell = cell_of_figures(gain_cell),
       .align = Align::Right,
       .spare = 1},
      type_column({"probe.fp16_ms", "Median time in FP16, sizes as they are."}, "FP16", &MatmulTimings::fp16, 2),
      type_column({"probe.bf16_ms", "Median time in BF16, sizes as they are."}, "BF16", &MatmulTimings::bf16, 3),
      type_column({"probe.tf32_ms", "Median time in TF32, sizes as they are."}, "TF32", &MatmulTimings::tf32, 3),
      type_column({"probe.fp32_ms", "Median time in FP32, sizes as they are."}, "FP32", &MatmulTimings::fp32, 2),
      {.key = "probe.times",
       .about = "All timings: `type`, `padded`, `sizes`, `cudnn_benchmark` (null if not a convolution), `median_ms`, "
                "`spread_ms`, `repeats`, `calls` (of each repeat), and the clocks `sm_mhz_before` and `sm_mhz_after`.",
       .value = of_figures(times_of)}};
}

}  // namespace ampprof::views
