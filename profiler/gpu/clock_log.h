// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "precision/gpu/device_monitor.h"

namespace ampprof::profiler {

/// The clocks of a GPU while it worked for the program.
struct DeviceClocks {
  std::int32_t device = 0;  ///< ordinal
  std::string name;         ///< "" if unknown
  std::int64_t readings = 0;
  std::int64_t sm_mhz_lowest = 0;
  std::int64_t sm_mhz = 0;  ///< median; for an even number of samples, the lower one of the middle two
  std::int64_t sm_mhz_highest = 0;
  std::int64_t memory_mhz = 0;                       ///< median, like sm_mhz
  std::map<std::string, std::int64_t> held_back_by;  ///< samples by limiting reason, such as "power cap"

  bool operator==(const DeviceClocks&) const = default;
};

/// Collects samples of the clocks of GPUs.
class ClockLog {
 public:
  void add(std::int32_t device, const gpu::ClockReading& reading);
  /// Returns the clocks by ordinal, without names.
  std::vector<DeviceClocks> clocks() const;

 private:
  struct Device {
    std::map<std::int64_t, std::int64_t> sm;      ///< number of samples by clock in MHz
    std::map<std::int64_t, std::int64_t> memory;  ///< number of samples by clock in MHz
    std::map<std::string, std::int64_t> reasons;
  };
  std::map<std::int32_t, Device> devices_;
};

/// Returns a run's settings with its GPUs under "gpus". `settings_json` is a JSON object.
std::string with_clocks(const std::string& settings_json, const std::vector<DeviceClocks>& gpus);

}  // namespace ampprof::profiler
