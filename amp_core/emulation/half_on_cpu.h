// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace amp {

/// Lets the CPU compute matmuls and convolutions of half tensors as Tensor Cores do: half inputs, FP32
/// arithmetic and accumulation, half results. LibTorch's own half kernels for the CPU agree within one rounding, and
/// take 60 to 100 times as long. So it does what LibTorch computes in half on CUDA alone; what it computes in half
/// nowhere (cdist, ctc_loss, linalg) throws an Error that names the function.
///
/// Once per process and for good. Calls without half arguments run LibTorch's kernels, bit for bit; so do calls that
/// mix half with other types, whose error LibTorch words better.
void emulate_half_on_cpu();

/// Whether any call of this process was computed so: its times are those of FP32.
bool half_was_emulated();

}  // namespace amp
