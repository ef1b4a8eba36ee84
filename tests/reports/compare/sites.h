// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "reports/queries/ops.h"
#include "reports/records/phase.h"

namespace ampprof::compare {

inline queries::OpRow op_row(const std::string& module, const std::string& op, const std::string& shapes = "f32[2,3]",
                             std::int32_t ordinal = 0, Phase phase = Phase::Forward) {
  queries::OpRow row;
  row.run = 1;
  row.phase = phase;
  row.module = module;
  row.op = op;
  row.ordinal = ordinal;
  row.signature = shapes;
  row.call_site = module + '/' + op;
  row.calls = 10;
  row.cpu_us = 100;
  return row;
}

/// Returns the rows of a convolution and a ReLU in each module.
inline std::vector<queries::OpRow> blocks(const std::vector<std::string>& modules) {
  std::vector<queries::OpRow> rows;
  for (const std::string& module : modules) {
    rows.push_back(op_row(module, "conv2d"));
    rows.push_back(op_row(module, "relu"));
  }
  return rows;
}

}  // namespace ampprof::compare
