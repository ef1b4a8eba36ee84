// SPDX-License-Identifier: Apache-2.0
#include "cli/views/probes.h"

#include <algorithm>
#include <cmath>

#include "cli/text/numbers.h"
#include "cli/views/format.h"
#include "precision/probe/numerics.h"

namespace ampprof::cli {
namespace {

ProbedMatmul matmul_of_row(const OpRow& op) { return {op.op, op.signature, computed_in(op)}; }

const ProbeTime* find_time(const std::vector<ProbeTime>& times, const Arithmetic& arithmetic, bool is_padded) {
  const auto found = std::ranges::find_if(
      times, [&](const ProbeTime& time) { return time.arithmetic == arithmetic && time.is_padded == is_padded; });
  return found == times.end() ? nullptr : &*found;
}

std::optional<Timing> timing_in(const std::vector<ProbeTime>& times, const Arithmetic& arithmetic) {
  const ProbeTime* found = find_time(times, arithmetic, false);
  return found == nullptr ? std::nullopt : std::optional(found->timing);
}

void add_padding(ProbeFigures& figures, const std::vector<ProbeTime>& times) {
  const auto padded = std::ranges::find_if(times, &ProbeTime::is_padded);
  if (padded == times.end()) return;
  figures.padded = padded->timing;
  figures.padded_in = padded->arithmetic;
  const auto before = timing_in(times, padded->arithmetic);
  if (before && before->median_us > 0) figures.padding_gain = 1 - padded->timing.median_us / before->median_us;
}

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
  std::string text = microseconds(timing.median_us);
  if (timing.median_us > 0) text += " ±" + percent(timing.spread_us / timing.median_us);
  return text;
}

std::string median_text(const Timing& timing) { return microseconds(timing.median_us); }

/// Less than the noise of both is no gain.
Cell gain_cell(const ProbeFigures& figures) {
  if (!figures.padding_gain) return {std::string(kAbsent)};
  const double gain = *figures.padding_gain;
  const std::string text = gain < 0 ? "-" + percent(-gain) : percent(gain);
  const double noise = figures.padded->spread_us / std::max(figures.padded->median_us, 1e-9);
  if (std::abs(gain) <= noise) return {text};
  return {text, gain > 0 ? Tone::Good : Tone::Attention};
}

}  // namespace

Probes::Probes(const std::vector<ProbeTimeRow>& times, const std::vector<ProbeAlgorithmRow>& algorithms) {
  for (const auto& [run, time] : times) times_[{run, time.matmul}].push_back(time);
  for (const auto& [run, answer] : algorithms) algorithms_.insert_or_assign({run, answer.matmul}, answer);
}

const ProbeAlgorithm* Probes::algorithm(const OpRow& op) const {
  const auto found = algorithms_.find({op.run, matmul_of_row(op)});
  return found == algorithms_.end() ? nullptr : &found->second;
}

std::vector<ProbeTime> Probes::times(const OpRow& op) const {
  const auto found = times_.find({op.run, matmul_of_row(op)});
  return found == times_.end() ? std::vector<ProbeTime>{} : found->second;
}

DType computed_in(const OpRow& op) { return op.dtype_out == DType::Unknown ? op.dtype_in : op.dtype_out; }

std::optional<ProbeFigures> figures_of(std::vector<ProbeTime> times, const Arithmetic& own, bool cudnn_benchmark) {
  if (times.empty()) return std::nullopt;
  ProbeFigures figures{.device = times.front().device, .own = own, .times = times};
  std::erase_if(times, [&](const ProbeTime& time) { return time.cudnn_benchmark == !cudnn_benchmark; });
  figures.as_run = timing_in(times, own);
  figures.fp16 = timing_in(times, {DType::Half});
  figures.bf16 = timing_in(times, {DType::BFloat16});
  figures.tf32 = timing_in(times, {DType::Float, true});
  figures.fp32 = timing_in(times, {DType::Float});
  add_padding(figures, times);
  return figures;
}

const std::vector<std::string>& probe_keys() {
  static const std::vector<std::string> kKeys{"cublaslt.unit",
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
  return {{"unit", algorithm ? text(probe::unit_of(*algorithm)) : Json()},
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

Json probe_json(const std::optional<ProbeFigures>& figures) {
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

std::vector<Cell> probe_cells(const std::optional<ProbeFigures>& figures) {
  const std::string absent(kAbsent);
  if (!figures) return std::vector<Cell>(probe_columns().size(), Cell{absent});
  std::string padded = shown(figures->padded, median_text);
  if (figures->padded_in && *figures->padded_in != figures->own) {
    padded += " (" + std::string(name_of(*figures->padded_in)) + ")";
  }
  return {{shown(figures->as_run, with_spread), Tone::Strong},
          {padded},
          gain_cell(*figures),
          {shown(figures->fp16, median_text)},
          {shown(figures->bf16, median_text)},
          {shown(figures->tf32, median_text)},
          {shown(figures->fp32, median_text)}};
}

}  // namespace ampprof::cli
