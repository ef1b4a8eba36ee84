// SPDX-License-Identifier: Apache-2.0
// A fake libcuda.so.1 and libnvidia-ml.so.1, the driver's libraries, with a few GPUs, whose PCI bus numbers descend as
// CUDA's ordinals ascend. A failing call writes a wrong value to its output, which no caller may use.
#include <cstdio>
#include <cstring>

namespace {

constexpr int kFails = 999;
constexpr int kCount = 7;
bool is_started = false;

struct Gpu {
  bool has_place = true;  ///< has an address on the PCI bus
  bool is_known = true;   ///< NVML lists it
  bool has_name = true;
  bool has_sm_clock = true;
  bool has_memory_clock = true;
  bool has_reasons = true;
} gpus[kCount] = {{},
                  {.has_sm_clock = false},
                  {.is_known = false},
                  {.has_memory_clock = false},
                  {.has_reasons = false},
                  {.has_name = false},
                  {.has_place = false}};

const Gpu& gpu_of(const void* device) { return *static_cast<const Gpu*>(device); }

}  // namespace

extern "C" {

int cuDeviceGet(int* device, int ordinal) {
  const bool is_there = ordinal >= 0 && ordinal < kCount;
  *device = is_there ? 10 + ordinal : 10;
  return is_there ? 0 : kFails;
}

int cuDeviceGetPCIBusId(char* text, int length, int device) {
  const bool has_place = gpus[device - 10].has_place;
  std::snprintf(text, static_cast<std::size_t>(length), "0000:%02d:00.0", has_place ? 30 - device : 20);
  return has_place ? 0 : kFails;
}

int nvmlInit_v2() {
  is_started = true;
  return 0;
}

int nvmlDeviceGetHandleByPciBusId_v2(const char* bus_id, void** device) {
  int bus = 0;
  if (!is_started || std::sscanf(bus_id, "0000:%d:", &bus) != 1) return kFails;
  *device = &gpus[20 - bus];
  return gpus[20 - bus].is_known ? 0 : kFails;
}

int nvmlDeviceGetName(void* device, char* name, unsigned length) {
  std::snprintf(name, length, "Stand-in GPU %d", static_cast<int>(&gpu_of(device) - gpus));
  return gpu_of(device).has_name ? 0 : kFails;
}

int nvmlDeviceGetClockInfo(void* device, int type, unsigned* mhz) {
  if (type != 1 && type != 2) return kFails;
  *mhz = type == 1 ? 1980 : 2619;
  return (type == 1 ? gpu_of(device).has_sm_clock : gpu_of(device).has_memory_clock) ? 0 : kFails;
}

int nvmlDeviceGetCurrentClocksThrottleReasons(void* device, unsigned long long* reasons) {
  *reasons = 0x4;
  return gpu_of(device).has_reasons ? 0 : kFails;
}
}
