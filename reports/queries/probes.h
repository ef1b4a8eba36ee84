// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "reports/queries/report.h"
#include "reports/records/probe.h"

namespace ampprof::queries {

/// A matmul of a run, timed alone after the run had ended.
struct ProbeTimeRow {
  std::int64_t run = 0;
  ProbeTime time;
};

/// Holds what cublasLt would run for a GEMM of a run.
struct ProbeAlgorithmRow {
  std::int64_t run = 0;
  ProbeAlgorithm answer;
};

/// Returns nothing where no probe was asked for.
std::vector<ProbeTimeRow> probe_times(const Report& report, RunFilter run = {});
/// Returns nothing where the run saw no GPU.
std::vector<ProbeAlgorithmRow> probe_algorithms(const Report& report, RunFilter run = {});

}  // namespace ampprof::queries
