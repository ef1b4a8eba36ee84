// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/operator_name.h>

#include <cstddef>

namespace amp {

/// Puts a kernel of ours at LibTorch's autocast keys for every op that LibTorch itself casts there, once per process:
/// our lists decide while casts are in force, and what was there before runs otherwise. Thread-safe.
void install_pass_kernels();

/// The slot of an op in a CastTable; its kernel is put in place, once per process, if there is none. Thread-safe.
std::size_t cast_kernel_slot(const c10::OperatorName& op);

}  // namespace amp
