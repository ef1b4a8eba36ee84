// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "reports/queries/report.h"
#include "reports/records/probe.h"

namespace ampprof::queries {

/// A matmul of a run, timed in isolation after the run.
struct ProbeTimeRow {
  std::int64_t run = 0;
  ProbeTime time;
};

/// The kernel that cublasLt would choose for a matmul of a run.
struct ProbeAlgorithmRow {
  std::int64_t run = 0;
  ProbeAlgorithm answer;
};

/// Returns the timed matmuls; none if no probe was requested.
std::vector<ProbeTimeRow> probe_times(const Report& report, RunFilter run = {});
/// Returns the choices of cublasLt; none if the run saw no GPU.
std::vector<ProbeAlgorithmRow> probe_algorithms(const Report& report, RunFilter run = {});

}  // namespace ampprof::queries
