// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace amp {

/// Makes the CPU compute matmuls and convolutions of half tensors like Tensor Cores: half inputs, FP32 arithmetic and
/// accumulation, half results. LibTorch's own half kernels for the CPU agree within one rounding but take 60 to 100
/// times as long. Ops that LibTorch computes in half only on CUDA are emulated too. Ops that LibTorch computes in half
/// on no device (cdist, ctc_loss, linalg) throw an Error that names the function.
///
/// Takes effect once per process, permanently. Calls without half arguments run LibTorch's kernels, bit for bit. Calls
/// that mix half with other types also run LibTorch's kernels, since LibTorch's error is clearer.
void emulate_half_on_cpu();

/// Returns whether any call of this process was emulated. The time of an emulated call is that of FP32 arithmetic.
bool half_was_emulated();

}  // namespace amp
