// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <c10/core/Device.h>
#include <c10/core/ScalarType.h>

namespace ampprof::torch_hooks {

/// The kinds of op that have a setting of their own.
enum class Fp32Op { Matmul, Convolution, Recurrent };

/// Says what FP32 is computed in; Full where nothing is set, too.
enum class Fp32Precision { Full, Tf32, Bf16 };

/// Returns what ops of a kind compute FP32 in on a kind of device: as the program has set it, or as is the default
/// there (cuDNN). The older switches, allowTF32CuBLAS() say, throw once the program has set `fp32_precision`.
Fp32Precision fp32_precision(c10::DeviceType device, Fp32Op op);

/// Returns whether ops of a kind may compute values of this type from fewer bits than they have: FP32 by the program's
/// leave, no other.
bool may_shorten(c10::ScalarType type, c10::DeviceType device, Fp32Op op);

/// Sets it for all threads, as a program does. Full: back to nothing set.
void set_fp32_precision(c10::DeviceType device, Fp32Op op, Fp32Precision precision);

}  // namespace ampprof::torch_hooks
