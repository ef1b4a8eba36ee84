// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reports/queries/report.h"
#include "reports/records/records.h"

namespace ampprof {

/// The casts of one kind at one call site.
struct CastRow {
  std::int64_t run = 0;
  std::string level;
  std::int64_t call_site_id = 0;
  std::int32_t position = 0;
  std::string call_site;
  Phase phase = Phase::Forward;
  std::string module;
  std::string op;
  CastRecord total;  ///< over all steps; its segment and call_site are 0
};

namespace queries {

/// Returns the casts that AMP inserted. Those of some steps are of what is in their segments.
std::vector<CastRow> casts(const Report& report, RunFilter run = {}, const StepFilter& steps = {});

}  // namespace queries

}  // namespace ampprof
