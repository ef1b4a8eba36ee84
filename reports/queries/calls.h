// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>

#include "reports/queries/call_site_names.h"
#include "reports/queries/report.h"
#include "reports/records/dtype.h"
#include "reports/records/op_total.h"

namespace ampprof::queries {

/// One op call for a trace. Its references are valid only during the callback.
struct TimedCall {
  const std::string& call_site;  ///< as in OpRow
  const std::string& module;
  const std::string& op;
  const std::string& source;
  const std::string& shapes;
  Phase phase = Phase::Forward;
  std::int64_t step = 0;
  std::int64_t start_ns = 0;
  std::int64_t duration_ns = 0;
  std::int32_t thread = 0;
  DType dtype_in = DType::Unknown;
  DType dtype_out = DType::Unknown;
  std::int64_t cast_bytes = 0;
  std::optional<double> scale = {};
  std::optional<double> local_rel_l2 = {};
  std::optional<std::int64_t> nonfinite = {};
};

/// The texts for the ids of one run's calls.
struct CallTexts {
  CallSites sites;
  std::unordered_map<std::int64_t, std::string> signatures;
  std::map<SiteInStep, std::string> names;                       ///< names of call sites, as in OpRow
  std::unordered_map<std::int64_t, std::string> activity_names;  ///< names of kernels, memcpys and memsets
};

/// Calls `show` for every op call of one run, in the order of writing. Never holds all calls in memory.
void each_call(const Report& report, std::int64_t run, const std::function<void(const TimedCall&)>& show);

CallTexts call_texts(const Report& report, std::int64_t run);

}  // namespace ampprof::queries
