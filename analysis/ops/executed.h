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

/// Whether an op ran on Tensor Cores, as far as its kernels' names tell.
struct Execution {
  kernel_names::Executed executed = kernel_names::Executed::Unknown;
  std::string evidence;  ///< "name(tensor_shape): sm80_xmma_gemm_…", or why there is none
};

/// Tells what ran for an op that multiplies. The kernels that can be its matmul decide, the one that took longest
/// first: casts, copies and sums of parts that belong to it do not.
Execution execution_of(const queries::OpRow& op);

/// Tells what would run, where no kernel tells what did: by cublasLt's answer; unknown where it was not asked (null).
Execution execution_by(const ProbeAlgorithm* answer);

/// Whether a kernel can be a matmul at all.
bool can_multiply(const kernel_names::KernelFacts& facts);

/// Share of the time of kernels, memcpys and memsets that kernels on Tensor Cores took; empty without any.
std::optional<double> tensor_core_share(const std::vector<queries::OpRow>& ops, std::int64_t run);

}  // namespace ampprof::analysis
