// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/ivalue.h>
#include <c10/core/Device.h>

#include <string_view>

namespace ampprof::reference {

/// Returns whether an op on this device type may compute FP32 in TF32 or BF16, through the program's setting or by
/// default (cuDNN). The result of such an op is not an FP32 reference. `name` is that of the schema: "aten::conv2d".
bool may_shorten_fp32(std::string_view name, c10::DeviceType device);

/// Returns `precision`, or FP64 if the op may compute FP32 in TF32 or BF16 on the device of these arguments. The
/// program's switches stay unchanged, since they apply to all threads.
at::ScalarType unshortened(std::string_view name, c10::ArrayRef<c10::IValue> arguments, at::ScalarType precision);

}  // namespace ampprof::reference
