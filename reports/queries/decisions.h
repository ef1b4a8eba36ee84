// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reports/queries/report.h"
#include "reports/records/phase.h"

namespace ampprof::queries {

/// Decisions (see CallDecisions) of one call site over all steps. They are compared with the decisions of the shadow:
/// the same step without rounding, or in the recipe of --what-if.
struct DecisionRow {
  std::int64_t run = 0;
  std::string level;
  std::int64_t call_site_id = 0;
  std::int32_t position = 0;
  std::string call_site;
  Phase phase = Phase::Forward;
  std::string module;
  std::string op;
  std::string source;  ///< file:line, "" if unknown
  std::int64_t calls = 0;
  std::int64_t decisions = 0;
  std::int64_t differing = 0;
};

std::vector<DecisionRow> decisions(const Report& report, RunFilter run = {});

}  // namespace ampprof::queries
