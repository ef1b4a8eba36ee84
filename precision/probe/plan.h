// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <vector>

#include "precision/probe/case.h"

namespace ampprof::probe {

/// A matmul as a run computed it, and what the Tensor Core rules say about it.
struct RecordedMatmul {
  std::int64_t run = 0;
  ProbedMatmul matmul = {};
  bool tf32_allowed = false;       ///< FP32 may run as TF32
  bool has_tensor_cores = false;   ///< the GPU has some for the type
  std::vector<rules::Fault> faults = {};  ///< sizes to pad
  double time_us = 0.0;            ///< of all calls from one place
};

/// Says what is wanted of the GEMMs and convolutions of some runs.
struct Wanted {
  bool algorithms = true;  ///< of GEMMs, as they are
  bool times = false;
};

struct PlannedCase {
  Case what = {};
  bool ask = false;  ///< cublasLt, which algorithm it would run
  bool time = false;

  bool operator==(const PlannedCase&) const = default;
};

/// Where the answer to a case belongs.
struct CaseUse {
  std::int64_t run = 0;
  ProbedMatmul matmul = {};
  std::size_t at = 0;  ///< in Plan::cases
  bool is_padded = false;
  bool is_as_run = false;  ///< sizes and type of the run itself
};

/// Cases to ask about and to time, the matmuls that took longest first; of each the case as it ran, the padded one,
/// then other types. No case is there twice, however many runs and places computed it.
struct Plan {
  std::vector<PlannedCase> cases = {};
  std::vector<CaseUse> places = {};
  std::map<std::int64_t, std::int64_t> left_out = {};  ///< by run: wanted ones whose sizes or type cannot be made again
};

/// Plans GEMMs and convolutions; workload_of() says which can be made again.
Plan plan_of(std::span<const RecordedMatmul> matmuls, const Wanted& wanted);

/// Returns the sizes that today's rules want, or those of 2018 where today's want nothing: what
/// rules::TensorCoreVerdict::padded says.
std::vector<rules::Fault> sizes_to_pad(std::span<const rules::Finding> findings);

}  // namespace ampprof::probe
