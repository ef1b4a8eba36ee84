// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace ampprof::gpu {

/// How fast a GPU runs at a moment.
struct ClockReading {
  std::int64_t sm_mhz = 0;  ///< of the multiprocessors
  std::int64_t memory_mhz = 0;
  std::uint64_t held_back_by = 0;  ///< NVML's reasons for a lower clock: see ClockLog

  bool operator==(const ClockReading&) const = default;
};

/// The GPUs of this process as the driver knows them, by NVML, which is loaded at run time. Devices are numbered as
/// CUDA does in this process. Where there is no driver nothing is known. AMPPROF_NVML=file loads that library in the
/// place of the driver's two.
class DeviceMonitor {
 public:
  DeviceMonitor();
  ~DeviceMonitor();

  std::string name(std::int32_t device);  ///< "NVIDIA H100 PCIe"; "" where not known
  std::optional<ClockReading> clocks(std::int32_t device);

 private:
  struct Driver;
  std::unique_ptr<Driver> driver_;
};

}  // namespace ampprof::gpu
