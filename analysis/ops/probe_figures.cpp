// SPDX-License-Identifier: Apache-2.0
#include "analysis/ops/probe_figures.h"

#include <algorithm>

#include "reports/queries/ops.h"
#include "reports/queries/probes.h"

namespace ampprof::analysis {
namespace {

ProbedMatmul matmul_of_row(const queries::OpRow& op) { return {op.op, op.signature, computed_in(op)}; }

const ProbeTime* find_time(const std::vector<ProbeTime>& times, const Arithmetic& arithmetic, bool is_padded) {
  const auto found = std::ranges::find_if(
      times, [&](const ProbeTime& time) { return time.arithmetic == arithmetic && time.is_padded == is_padded; });
  return found == times.end() ? nullptr : &*found;
}

std::optional<Timing> timing_in(const std::vector<ProbeTime>& times, const Arithmetic& arithmetic) {
  const ProbeTime* found = find_time(times, arithmetic, false);
  return found == nullptr ? std::nullopt : std::optional(found->timing);
}

void add_padding(MatmulTimings& figures, const std::vector<ProbeTime>& times) {
  const auto padded = std::ranges::find_if(times, &ProbeTime::is_padded);
  if (padded == times.end()) return;
  figures.padded = padded->timing;
  figures.padded_in = padded->arithmetic;
  const auto before = timing_in(times, padded->arithmetic);
  if (before && before->median_us > 0) figures.padding_gain = 1 - padded->timing.median_us / before->median_us;
}

}  // namespace

Probes::Probes(const std::vector<queries::ProbeTimeRow>& times,
               const std::vector<queries::ProbeAlgorithmRow>& algorithms) {
  for (const auto& [run, time] : times) times_[{run, time.matmul}].push_back(time);
  for (const auto& [run, answer] : algorithms) algorithms_.insert_or_assign({run, answer.matmul}, answer);
}

const ProbeAlgorithm* Probes::algorithm(const queries::OpRow& op) const {
  const auto found = algorithms_.find({op.run, matmul_of_row(op)});
  return found == algorithms_.end() ? nullptr : &found->second;
}

std::vector<ProbeTime> Probes::times(const queries::OpRow& op) const {
  const auto found = times_.find({op.run, matmul_of_row(op)});
  return found == times_.end() ? std::vector<ProbeTime>{} : found->second;
}

DType computed_in(const queries::OpRow& op) { return op.dtype_out == DType::Unknown ? op.dtype_in : op.dtype_out; }

std::optional<MatmulTimings> figures_of(std::vector<ProbeTime> times, const Arithmetic& own, bool cudnn_benchmark) {
  if (times.empty()) return std::nullopt;
  MatmulTimings figures{.device = times.front().device, .own = own, .times = times};
  std::erase_if(times, [&](const ProbeTime& time) { return time.cudnn_benchmark == !cudnn_benchmark; });
  figures.as_run = timing_in(times, own);
  figures.fp16 = timing_in(times, {DType::Half});
  figures.bf16 = timing_in(times, {DType::BFloat16});
  figures.tf32 = timing_in(times, {DType::Float, true});
  figures.fp32 = timing_in(times, {DType::Float});
  add_padding(figures, times);
  return figures;
}

}  // namespace ampprof::analysis
