// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <c10/core/Device.h>
#include <c10/core/ScalarType.h>

namespace ampprof::torch_hooks {

/// The kinds of op with a precision setting of their own.
enum class Fp32Op { Matmul, Convolution, Recurrent };

/// Precision in which FP32 is computed; Full also if nothing is set.
enum class Fp32Precision { Full, Tf32, Bf16 };

/// Returns the precision in which ops of a kind compute FP32 on a device type: the program's setting or the default
/// there (cuDNN's is TF32). The older switches such as allowTF32CuBLAS() throw once the program has set
/// `fp32_precision`.
Fp32Precision fp32_precision(c10::DeviceType device, Fp32Op op);

/// Returns whether ops of a kind may drop bits of values of this type: only FP32, if the program allows it.
bool may_shorten(c10::ScalarType type, c10::DeviceType device, Fp32Op op);

/// Sets it for all threads, as a program does. Full restores the unset state.
void set_fp32_precision(c10::DeviceType device, Fp32Op op, Fp32Precision precision);

}  // namespace ampprof::torch_hooks
