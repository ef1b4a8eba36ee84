// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "precision/kernel_names/classify.h"
#include "reports/records/probe.h"

namespace ampprof::queries {
struct OpRow;
}

namespace ampprof::analysis {

/// Tells whether an op ran on Tensor Cores, judged by kernel names.
struct Execution {
  kernel_names::Executed executed = kernel_names::Executed::Unknown;
  std::string evidence;  ///< "name(tensor_shape): sm80_xmma_gemm_…", or the reason why no kernel is named
};

/// Returns how a matmul op was executed, judged by its longest kernel that can be a matmul. Casts, copies and partial
/// sums that belong to the op do not count.
Execution execution_of(const queries::OpRow& op);

/// Returns how cublasLt would execute the op, for ops without kernel names. Unknown if cublasLt was not asked (null).
Execution execution_by(const ProbeAlgorithm* answer);

/// Tells whether a kernel can be a matmul.
bool can_multiply(const kernel_names::KernelFacts& facts);

/// Returns the share of a run's GPU time (kernels, memcpys, memsets) that Tensor Core kernels took; empty without GPU
/// time.
std::optional<double> tensor_core_share(const std::vector<queries::OpRow>& ops, std::int64_t run);

}  // namespace ampprof::analysis
