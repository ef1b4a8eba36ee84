// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <vector>

#include "precision/probe/case.h"

namespace ampprof::probe {

/// A matmul as recorded in a run, with the findings of the Tensor Core rules.
struct RecordedMatmul {
  std::int64_t run = 0;
  ProbedMatmul matmul = {};
  bool tf32_allowed = false;              ///< whether FP32 may run as TF32
  bool has_tensor_cores = false;          ///< whether the GPU has Tensor Cores for the type
  std::vector<rules::Fault> faults = {};  ///< sizes to pad
  double time_us = 0.0;                   ///< total time of all calls from one call site
};

/// Selects what the probe measures for GEMMs and convolutions.
struct Wanted {
  bool algorithms = true;  ///< algorithms of GEMMs with the recorded sizes and types
  bool times = false;
};

struct PlannedCase {
  Case what = {};
  bool ask = false;  ///< whether to ask cublasLt for the algorithm that it would run
  bool time = false;

  bool operator==(const PlannedCase&) const = default;
};

/// A recorded matmul that uses the result of a case.
struct CaseUse {
  std::int64_t run = 0;
  ProbedMatmul matmul = {};
  std::size_t at = 0;  ///< index into Plan::cases
  bool is_padded = false;
  bool is_as_run = false;  ///< whether size and type are as in the run
};

/// Cases to time and to query, the cases of the slowest matmuls first. Each matmul has its case as recorded, the padded
/// case, and cases with other types. Equal cases of several runs and call sites occur once.
struct Plan {
  std::vector<PlannedCase> cases = {};
  std::vector<CaseUse> places = {};
  std::map<std::int64_t, std::int64_t> left_out = {};  ///< by run: matmuls that cannot be reproduced (size or type)
};

/// Plans the cases for GEMMs and convolutions. workload_of() decides which matmuls can be computed again.
Plan plan_of(std::span<const RecordedMatmul> matmuls, const Wanted& wanted);

/// Returns the sizes that today's rules recommend, or those of the 2018 rules if today's recommend none, like
/// rules::TensorCoreVerdict::padded.
std::vector<rules::Fault> sizes_to_pad(std::span<const rules::Finding> findings);

}  // namespace ampprof::probe
