// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "reports/gates/evidence.h"

namespace ampprof::gates {

inline SiteEvidence a_site(const std::string& module, const std::string& op, Phase phase, std::optional<double> error) {
  SiteEvidence site{.op = {}, .suits_tensor_cores = std::nullopt};
  site.op.module = module;
  site.op.op = op;
  site.op.phase = phase;
  site.op.call_site = module + '/' + op;
  site.op.calls = 10;
  site.op.cpu_us = 500;
  site.op.dtype_in = site.op.dtype_out = error ? DType::Half : DType::Float;
  if (error) site.op.local = ErrorStats{.count = 1, .sum_sq_error = *error * *error, .sum_sq_reference = 1};
  site.op.ranges = RangeStats{.count = 1};
  return site;
}

/// Returns a run of 10 steps of 32 ms, with 2 overflows and a peak of 64 MB. O0 has no errors. At other levels conv1
/// has an error of 2^-10 in forward and 2^-8 in backward, and fc an error of 2^-11 in forward. The sizes of fc suit
/// Tensor Cores, the sizes of conv1 do not.
inline RunEvidence a_run(const std::string& level, std::int64_t id = 1) {
  RunEvidence run;
  run.run.run = id;
  run.run.level = level;
  run.run.steps = 10;
  run.run.ms_per_step = 32;
  run.run.peak_bytes = 64000000;
  run.run.final_loss = 0.25;
  run.run.overflow_events = 2;
  const auto error = [&](double value) { return level == "O0" ? std::nullopt : std::optional(value); };
  run.sites = {a_site("conv1", "conv2d", Phase::Forward, error(0x1p-10)),
               a_site("fc", "linear", Phase::Forward, error(0x1p-11)),
               a_site("conv1", "convolution_backward", Phase::Backward, error(0x1p-8))};
  run.sites[0].suits_tensor_cores = false;
  run.sites[1].suits_tensor_cores = true;
  run.missing = {{.what = "kernels", .count = 3, .cause = "", .remedy = ""}};
  return run;
}

}  // namespace ampprof::gates
