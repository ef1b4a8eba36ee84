// SPDX-License-Identifier: Apache-2.0
#include "profiler/gpu/clock_log.h"

#include <nlohmann/json.hpp>

namespace ampprof::profiler {
namespace {

struct HeldBack {
  std::uint64_t bit;
  const char* name;
};

// NVML's clock event reasons that slow a GPU down. Idle GPUs and synchronized boost are left out.
constexpr HeldBack kHeldBack[] = {{0x02, "application clocks"},        {0x04, "power cap"},
                                  {0x08, "hardware slowdown"},         {0x20, "software thermal slowdown"},
                                  {0x40, "hardware thermal slowdown"}, {0x80, "hardware power brake"}};

std::int64_t count_of(const std::map<std::int64_t, std::int64_t>& readings) {
  std::int64_t count = 0;
  for (const auto& [mhz, times] : readings) count += times;
  return count;
}

std::int64_t median_of(const std::map<std::int64_t, std::int64_t>& readings) {
  std::int64_t left = (count_of(readings) + 1) / 2;
  for (const auto& [mhz, times] : readings) {
    left -= times;
    if (left <= 0) return mhz;
  }
  return 0;
}

nlohmann::json to_json(const DeviceClocks& gpu) {
  return {{"device", gpu.device},         {"name", gpu.name},
          {"readings", gpu.readings},     {"sm_mhz_lowest", gpu.sm_mhz_lowest},
          {"sm_mhz", gpu.sm_mhz},         {"sm_mhz_highest", gpu.sm_mhz_highest},
          {"memory_mhz", gpu.memory_mhz}, {"held_back_by", gpu.held_back_by}};
}

}  // namespace

void ClockLog::add(std::int32_t device, const gpu::ClockReading& reading) {
  Device& known = devices_[device];
  ++known.sm[reading.sm_mhz];
  ++known.memory[reading.memory_mhz];
  for (const HeldBack& reason : kHeldBack) {
    if ((reading.held_back_by & reason.bit) != 0) ++known.reasons[reason.name];
  }
}

std::vector<DeviceClocks> ClockLog::clocks() const {
  std::vector<DeviceClocks> all;
  for (const auto& [ordinal, device] : devices_) {
    all.push_back({.device = ordinal,
                   .name = "",
                   .readings = count_of(device.sm),
                   .sm_mhz_lowest = device.sm.begin()->first,
                   .sm_mhz = median_of(device.sm),
                   .sm_mhz_highest = device.sm.rbegin()->first,
                   .memory_mhz = median_of(device.memory),
                   .held_back_by = device.reasons});
  }
  return all;
}

std::string with_clocks(const std::string& settings_json, const std::vector<DeviceClocks>& gpus) {
  if (gpus.empty()) return settings_json;
  auto settings = nlohmann::json::parse(settings_json);
  for (const DeviceClocks& gpu : gpus) settings["gpus"].push_back(to_json(gpu));
  return settings.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace ampprof::profiler
