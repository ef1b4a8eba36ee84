// SPDX-License-Identifier: Apache-2.0
#include "views/probes.h"

#include <algorithm>
#include <cmath>

#include "precision/probe/numerics.h"
#include "reports/text/numbers.h"
#include "views/format.h"

namespace ampprof::views {
namespace {

Json ms(const std::optional<Timing>& timing) { return timing ? exact(timing->median_us / 1e3) : Json(); }

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

std::string with_spread(const Timing& timing) {
  std::string text = text::microseconds(timing.median_us);
  if (timing.median_us > 0) text += " ±" + text::percent(timing.spread_us / timing.median_us);
  return text;
}

std::string median_text(const Timing& timing) { return text::microseconds(timing.median_us); }

/// Less than the noise of both is no gain.
Cell gain_cell(const analysis::ProbeFigures& figures) {
  if (!figures.padding_gain) return {std::string(text::kAbsent)};
  const double gain = *figures.padding_gain;
  const std::string text = gain < 0 ? "-" + text::percent(-gain) : text::percent(gain);
  const double noise = figures.padded->spread_us / std::max(figures.padded->median_us, 1e-9);
  if (std::abs(gain) <= noise) return {text};
  return {text, gain > 0 ? text::Tone::Good : text::Tone::Attention};
}

}  // namespace

const std::vector<std::string>& probe_keys() {
  static const std::vector<std::string> kKeys{"cublaslt.instruction",
                                              "cublaslt.accumulator",
                                              "cublaslt.tile",
                                              "cublaslt.waves",
                                              "cublaslt.split_k",
                                              "cublaslt.stages",
                                              "cublaslt.algorithm",
                                              "cublaslt.workspace_bytes",
                                              "cublaslt.alignment_bytes",
                                              "cublaslt.version",
                                              "cublaslt.failure",
                                              "probe.device",
                                              "probe.type",
                                              "probe.as_is_ms",
                                              "probe.as_is_spread_ms",
                                              "probe.padded_ms",
                                              "probe.padded_type",
                                              "probe.padding_gain",
                                              "probe.fp16_ms",
                                              "probe.bf16_ms",
                                              "probe.tf32_ms",
                                              "probe.fp32_ms",
                                              "probe.times"};
  return kKeys;
}

Json cublaslt_json(const ProbeAlgorithm* answer) {
  if (answer == nullptr) return {};
  const auto& algorithm = answer->algorithm;
  const auto text = [&](std::string_view words) { return text_or_null(std::string(words)); };
  return {{"instruction", algorithm ? text(probe::instruction_of(*algorithm)) : Json()},
          {"accumulator", algorithm ? text(probe::accumulator_of(*algorithm)) : Json()},
          {"tile", algorithm ? text_or_null(algorithm->tile) : Json()},
          {"waves", algorithm ? exact(algorithm->waves) : Json()},
          {"split_k", algorithm ? Json(algorithm->split_k) : Json()},
          {"stages", algorithm ? Json(algorithm->stages) : Json()},
          {"algorithm", algorithm ? Json(algorithm->id) : Json()},
          {"workspace_bytes", algorithm ? Json(algorithm->workspace_bytes) : Json()},
          {"alignment_bytes", algorithm ? Json(algorithm->alignment_bytes) : Json()},
          {"version", answer->library_version},
          {"failure", text_or_null(answer->failure)}};
}

Json probe_json(const std::optional<analysis::ProbeFigures>& figures) {
  if (!figures) return {};
  Json times = Json::array();
  for (const ProbeTime& time : figures->times) times.push_back(to_json(time));
  const auto& as_run = figures->as_run;
  return {{"device", figures->device},
          {"type", name_of(figures->own)},
          {"as_is_ms", ms(as_run)},
          {"as_is_spread_ms", as_run ? exact(as_run->spread_us / 1e3) : Json()},
          {"padded_ms", ms(figures->padded)},
          {"padded_type", figures->padded_in ? Json(name_of(*figures->padded_in)) : Json()},
          {"padding_gain", exact(figures->padding_gain)},
          {"fp16_ms", ms(figures->fp16)},
          {"bf16_ms", ms(figures->bf16)},
          {"tf32_ms", ms(figures->tf32)},
          {"fp32_ms", ms(figures->fp32)},
          {"times", times}};
}

std::vector<Column> probe_columns() {
  return {{.title = "as is", .align = Align::Right, .key = "probe.as_is_ms"},
          {.title = "padded", .align = Align::Right, .spare = 1, .key = "probe.padded_ms"},
          {.title = "saves", .align = Align::Right, .spare = 1, .key = "probe.padding_gain"},
          {.title = "FP16", .align = Align::Right, .spare = 2, .key = "probe.fp16_ms"},
          {.title = "BF16", .align = Align::Right, .spare = 3, .key = "probe.bf16_ms"},
          {.title = "TF32", .align = Align::Right, .spare = 3, .key = "probe.tf32_ms"},
          {.title = "FP32", .align = Align::Right, .spare = 2, .key = "probe.fp32_ms"}};
}

std::vector<Cell> probe_cells(const std::optional<analysis::ProbeFigures>& figures) {
  const std::string absent(text::kAbsent);
  if (!figures) return std::vector<Cell>(probe_columns().size(), Cell{absent});
  std::string padded = text::shown(figures->padded, median_text);
  if (figures->padded_in && *figures->padded_in != figures->own) {
    padded += " (" + std::string(name_of(*figures->padded_in)) + ")";
  }
  return {{text::shown(figures->as_run, with_spread), text::Tone::Strong},
          {padded},
          gain_cell(*figures),
          {text::shown(figures->fp16, median_text)},
          {text::shown(figures->bf16, median_text)},
          {text::shown(figures->tf32, median_text)},
          {text::shown(figures->fp32, median_text)}};
}

}  // namespace ampprof::views
