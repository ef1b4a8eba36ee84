// SPDX-License-Identifier: Apache-2.0
#include "precision/gpu/device_monitor.h"

#include <dlfcn.h>

#include <array>
#include <cstdlib>
#include <map>

#include "precision/gpu/symbols.h"
#include "reports/records/tracks.h"

namespace ampprof::gpu {
namespace {

// The required part of the NVML and driver interfaces. Both are stable; the CUDA toolkit has no header for NVML.
using NvmlDevice = void*;
constexpr int kSuccess = 0;
constexpr int kSmClock = 1;
constexpr int kMemoryClock = 2;

/// Opens a library, or the file that AMPPROF_NVML names.
void* open_library(const char* file) {
  const char* other = std::getenv("AMPPROF_NVML");
  return dlopen(other != nullptr && *other != '\0' ? other : file, RTLD_LAZY | RTLD_LOCAL);
}

}  // namespace

struct DeviceMonitor::Driver {
  // functions of libcuda
  int (*device_of)(int* device, int ordinal) = nullptr;
  int (*bus_id_of)(char* text, int length, int device) = nullptr;
  // functions of NVML
  int (*start)() = nullptr;
  int (*handle_of)(const char* bus_id, NvmlDevice* device) = nullptr;
  int (*name_of)(NvmlDevice device, char* name, unsigned length) = nullptr;
  int (*clock_of)(NvmlDevice device, int type, unsigned* mhz) = nullptr;
  int (*reasons_of)(NvmlDevice device, unsigned long long* reasons) = nullptr;  ///< null if the NVML release lacks it

  std::map<std::int32_t, NvmlDevice> handles;  ///< null for devices that NVML does not have

  bool load() {
    Symbols cuda(open_library("libcuda.so.1"));
    cuda.need(device_of, "cuDeviceGet");
    cuda.need(bus_id_of, "cuDeviceGetPCIBusId");
    Symbols nvml(open_library("libnvidia-ml.so.1"));
    nvml.need(start, "nvmlInit_v2");
    nvml.need(handle_of, "nvmlDeviceGetHandleByPciBusId_v2");
    nvml.need(name_of, "nvmlDeviceGetName");
    nvml.need(clock_of, "nvmlDeviceGetClockInfo");
    nvml.find(reasons_of, "nvmlDeviceGetCurrentClocksThrottleReasons");
    return cuda.absent().empty() && nvml.absent().empty() && start() == kSuccess;
  }

  // NVML and CUDA number devices differently; both accept the PCI bus id.
  NvmlDevice handle(std::int32_t ordinal) {
    const auto [known, is_new] = handles.try_emplace(ordinal, nullptr);
    int device = 0;
    std::array<char, 64> bus_id{};
    if (is_new && device_of(&device, ordinal) == kSuccess &&
        bus_id_of(bus_id.data(), static_cast<int>(bus_id.size()), device) == kSuccess &&
        handle_of(bus_id.data(), &known->second) != kSuccess) {
      known->second = nullptr;
    }
    return known->second;
  }
};

DeviceMonitor::DeviceMonitor() : driver_(std::make_unique<Driver>()) {
  if (!driver_->load()) driver_.reset();
}

DeviceMonitor::~DeviceMonitor() = default;

std::string DeviceMonitor::name(std::int32_t device) {
  NvmlDevice handle = driver_ ? driver_->handle(device) : nullptr;
  std::array<char, 128> name{};
  if (handle == nullptr || driver_->name_of(handle, name.data(), name.size()) != kSuccess) return {};
  name.back() = '\0';
  return name.data();
}

std::optional<ClockReading> DeviceMonitor::clocks(std::int32_t device) {
  NvmlDevice handle = driver_ ? driver_->handle(device) : nullptr;
  unsigned sm = 0;
  unsigned memory = 0;
  if (handle == nullptr || driver_->clock_of(handle, kSmClock, &sm) != kSuccess ||
      driver_->clock_of(handle, kMemoryClock, &memory) != kSuccess) {
    return std::nullopt;
  }
  unsigned long long reasons = 0;
  if (driver_->reasons_of == nullptr || driver_->reasons_of(handle, &reasons) != kSuccess) reasons = 0;
  return ClockReading{sm, memory, reasons};
}

}  // namespace ampprof::gpu
