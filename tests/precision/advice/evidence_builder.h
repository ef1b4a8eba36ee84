// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <string>

#include "precision/advice/evidence.h"

namespace ampprof::advice::testing_advice {

/// Builds a run with 10 steps. Op calls and their impacts are added one by one.
class Builder {
 public:
  Builder() {
    evidence.run.steps = evidence.run.recorded_steps = 10;
    evidence.run.first_loss_mean = 2.0;
    evidence.run.last_loss_mean = 1.0;
    evidence.run.loss_scale_final = 65536;
  }

  /// Adds a forward op that computes in FP16 and is called once per step.
  queries::OpRow& forward(const std::string& module, const std::string& op) {
    queries::OpRow& row = add(Phase::Forward, module, op);
    row.ranges = RangeStats{.count = 1000, .amax = 4, .reference_amax = 4};
    return row;
  }

  queries::OpRow& backward(const std::string& module, const std::string& op) {
    queries::OpRow& row = add(Phase::Backward, module, op);
    row.scale = 65536;
    row.ranges = RangeStats{.count = 1000, .amax = 4, .reference_amax = 4};
    row.exponents.emplace().counts[ExponentHistogram::bin_of(0)] = 1000;
    return row;
  }

  /// Adds a forward op with an impact on loss 0.
  queries::OpRow& forward(const std::string& module, const std::string& op, double impact) {
    queries::OpRow& row = forward(module, op);
    this->impact(row, impact, std::abs(impact));
    return row;
  }

  queries::ImpactRow& impact(const queries::OpRow& op, std::optional<double> mean, std::optional<double> rms) {
    queries::ImpactRow& row = evidence.impacts.emplace_back();
    row.call_site_id = op.call_site_id;
    row.name = op.call_site;
    row.impact = mean;
    row.impact_rms = rms;
    row.calls = row.steps = 10;
    return row;
  }

  queries::EventRow& event(std::int64_t step, const queries::OpRow& first, double scale_before) {
    queries::EventRow& row = evidence.events.emplace_back();
    row.by_scaler = true;
    row.step = step;
    row.first_op = first.call_site;
    row.first_op_phase = first.phase;
    row.scale_before = scale_before;
    row.scale_after = scale_before / 2;
    return row;
  }

  Evidence evidence = {};

 private:
  queries::OpRow& add(Phase phase, const std::string& module, const std::string& op) {
    queries::OpRow row;
    row.call_site_id = static_cast<std::int64_t>(evidence.ops.size()) + 1;
    row.phase = phase;
    row.module = module;
    row.op = op;
    row.call_site = (phase == Phase::Backward ? "backward " : "") + module + "/" + op;
    row.calls = 10;
    row.dtype_in = phase == Phase::Forward ? DType::Float : DType::Half;
    row.dtype_out = DType::Half;
    row.cpu_us = 100;
    row.local = ErrorStats{.count = 1000, .sum_sq_error = 0x1p-22, .sum_sq_reference = 1};
    evidence.ops.reserve(64);  // keeps references to returned rows valid
    return evidence.ops.emplace_back(std::move(row));
  }
};

}  // namespace ampprof::advice::testing_advice
