// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace ampprof::gpu {

/// Clock rates of a GPU at one moment.
struct ClockReading {
  std::int64_t sm_mhz = 0;  ///< clock of the multiprocessors
  std::int64_t memory_mhz = 0;
  std::uint64_t held_back_by = 0;  ///< NVML's reasons for a reduced clock: see ClockLog

  bool operator==(const ClockReading&) const = default;
};

/// Reads clocks and names of the GPUs of this process through NVML and the driver, both loaded at run time. Devices are
/// numbered as by CUDA in this process. Without a driver all values are unknown. If AMPPROF_NVML names a library file,
/// that library is loaded instead of both.
class DeviceMonitor {
 public:
  DeviceMonitor();
  ~DeviceMonitor();

  std::string name(std::int32_t device);  ///< "NVIDIA H100 PCIe"; "" if unknown
  std::optional<ClockReading> clocks(std::int32_t device);

 private:
  struct Driver;
  std::unique_ptr<Driver> driver_;
};

}  // namespace ampprof::gpu
