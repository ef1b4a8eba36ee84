// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <c10/core/Device.h>
#include <c10/core/ScalarType.h>

namespace ampprof::torch_hooks {

/// Groups of ops that have their own precision setting in LibTorch.
enum class Fp32Op { Matmul, Convolution, Recurrent };

/// Precision in which FP32 ops compute; Full also if nothing is set.
enum class Fp32Precision { Full, Tf32, Bf16 };

/// Returns the precision in which FP32 ops of a group compute on a device type: the program's setting, or the default
/// for that device (TF32 for cuDNN). The older switches such as allowTF32CuBLAS() throw once the program has set
/// `fp32_precision`.
Fp32Precision fp32_precision(c10::DeviceType device, Fp32Op op);

/// Returns whether ops of a group may drop mantissa bits of this type: only FP32, and only if the program allows it.
bool may_shorten(c10::ScalarType type, c10::DeviceType device, Fp32Op op);

/// Sets the precision for all threads, as a program does. Full restores the unset state.
void set_fp32_precision(c10::DeviceType device, Fp32Op op, Fp32Precision precision);

}  // namespace ampprof::torch_hooks
