// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/operator_name.h>

#include <cstddef>

namespace amp {

/// Registers a kernel at LibTorch's autocast keys for every op that LibTorch itself casts there, once per process.
/// While casts are in force, amp_core's lists decide; otherwise the replaced kernel runs. Thread-safe.
void install_pass_kernels();

/// Returns the slot of an op: its index in every CastTable. Registers a kernel for the op if this process has none yet.
/// Thread-safe.
std::size_t cast_kernel_slot(const c10::OperatorName& op);

}  // namespace amp
