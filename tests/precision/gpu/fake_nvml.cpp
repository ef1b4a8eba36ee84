// SPDX-License-Identifier: Apache-2.0
// A stand-in for the driver's libcuda.so.1 and libnvidia-ml.so.1 with three GPUs, which NVML numbers the other way
// round. It does not know the third, and gives no clocks for the second.
#include <cstdio>
#include <cstring>

namespace {

constexpr int kFails = 999;
bool is_started = false;
int devices[3] = {0, 1, 2};

int number_of(const void* device) { return *static_cast<const int*>(device); }

}  // namespace

extern "C" {

int cuDeviceGet(int* device, int ordinal) {
  *device = 10 + ordinal;
  return ordinal >= 0 && ordinal < 3 ? 0 : kFails;
}

int cuDeviceGetPCIBusId(char* text, int length, int device) {
  std::snprintf(text, static_cast<std::size_t>(length), "0000:%02d:00.0", 20 - device);
  return 0;
}

int nvmlInit_v2() {
  is_started = true;
  return 0;
}

int nvmlDeviceGetHandleByPciBusId_v2(const char* bus_id, void** device) {
  int bus = 0;
  if (!is_started || std::sscanf(bus_id, "0000:%d:", &bus) != 1 || bus < 9) return kFails;
  *device = &devices[10 - bus];
  return 0;
}

int nvmlDeviceGetName(void* device, char* name, unsigned length) {
  std::snprintf(name, length, "Stand-in GPU %d", number_of(device));
  return 0;
}

int nvmlDeviceGetClockInfo(void* device, int type, unsigned* mhz) {
  *mhz = type == 1 ? 1980 : 2619;
  return number_of(device) == 0 ? 0 : kFails;
}

int nvmlDeviceGetCurrentClocksThrottleReasons(void*, unsigned long long* reasons) {
  *reasons = 0x4;
  return 0;
}
}
