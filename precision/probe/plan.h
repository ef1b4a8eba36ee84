// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <vector>

#include "precision/probe/case.h"

namespace ampprof::probe {

/// A matmul as a run computed it, with the findings of the Tensor Core rules.
struct RecordedMatmul {
  std::int64_t run = 0;
  ProbedMatmul matmul = {};
  bool tf32_allowed = false;       ///< FP32 may run as TF32
  bool has_tensor_cores = false;   ///< the GPU has Tensor Cores for the type
  std::vector<rules::Fault> faults = {};  ///< sizes to pad
  double time_us = 0.0;            ///< of all calls from one call site
};

/// The questions to ask about the GEMMs and convolutions of some runs.
struct Wanted {
  bool algorithms = true;  ///< algorithms of GEMMs as they ran
  bool times = false;
};

struct PlannedCase {
  Case what = {};
  bool ask = false;  ///< asks cublasLt which algorithm it would run
  bool time = false;

  bool operator==(const PlannedCase&) const = default;
};

/// The place that the answer to a case belongs to.
struct CaseUse {
  std::int64_t run = 0;
  ProbedMatmul matmul = {};
  std::size_t at = 0;  ///< place in Plan::cases
  bool is_padded = false;
  bool is_as_run = false;  ///< same sizes and type as in the run
};

/// Cases to time and to ask about, the matmuls that took longest first. Each matmul has its case as it ran, the padded
/// one, then other types. Equal cases of several runs and places appear once.
struct Plan {
  std::vector<PlannedCase> cases = {};
  std::vector<CaseUse> places = {};
  std::map<std::int64_t, std::int64_t> left_out = {};  ///< by run: wanted, but not reproducible by size or type
};

/// Plans the cases for GEMMs and convolutions. workload_of() decides which can be computed again.
Plan plan_of(std::span<const RecordedMatmul> matmuls, const Wanted& wanted);

/// Returns the sizes that today's rules ask for, or those of 2018 if today's ask for nothing, like
/// rules::TensorCoreVerdict::padded.
std::vector<rules::Fault> sizes_to_pad(std::span<const rules::Finding> findings);

}  // namespace ampprof::probe
