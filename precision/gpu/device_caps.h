// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/records/dtype.h"

namespace ampprof::gpu {

/// Capabilities of a GPU that the Tensor Core rules use.
struct DeviceCaps {
  std::string name;  ///< "sm_90", or the usual model name: "RTX 3090"
  int major = 0;     ///< compute capability, major and minor
  int minor = 0;
  int multiprocessors = 0;    ///< 0 if unknown from the name
  int alignment_bytes = 16;   ///< matrix dimensions should be multiples of this many bytes
  bool tensor_cores = true;   ///< false below compute capability 7.0 and on the GTX 16 series
  bool tf32_allowed = false;  ///< whether the program lets FP32 run as TF32; a setting of the run, not of the GPU

  bool operator==(const DeviceCaps&) const = default;
};

/// Reads "sm_90", "sm90a", "9.0", or a GPU's name, as CUDA spells it ("NVIDIA A100-SXM4-80GB") or in short ("A100").
/// Empty for an unknown name.
std::optional<DeviceCaps> device_caps(std::string_view name);

/// Returns the GPUs that device_caps() recognizes by model name, from the oldest generation to the newest.
std::vector<DeviceCaps> known_models();

/// Tells whether the device's Tensor Cores multiply this type. FP32 counts if it may run as TF32.
bool has_tensor_cores(const DeviceCaps& device, DType dtype);

}  // namespace ampprof::gpu
