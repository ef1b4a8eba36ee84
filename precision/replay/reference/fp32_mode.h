// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/ivalue.h>
#include <c10/core/Device.h>

#include <string_view>

namespace ampprof::reference {

/// Returns whether an op on this kind of device may compute FP32 in TF32 or BF16, as the program has set it or as is
/// the default there (cuDNN): its result is then no FP32 reference. `name` is that of the schema: "aten::conv2d".
bool may_shorten_fp32(std::string_view name, c10::DeviceType device);

/// Returns the precision that a call takes to be IEEE in `precision` at least: FP64 where FP32 may be shortened on the
/// device of these arguments. The switches are the program's and hold for all threads, so they stay as they are.
at::ScalarType unshortened(std::string_view name, c10::ArrayRef<c10::IValue> arguments, at::ScalarType precision);

}  // namespace ampprof::reference
