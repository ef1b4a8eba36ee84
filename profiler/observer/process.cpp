// SPDX-License-Identifier: Apache-2.0
#include "profiler/observer/process.h"

#include <atomic>
#include <fstream>
#include <string>

namespace ampprof::profiler {
namespace {

std::int64_t status_bytes(const std::string& key) {
  constexpr std::int64_t kKibibyte = 1024;
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(key)) return std::strtoll(line.c_str() + key.size(), nullptr, 10) * kKibibyte;
  }
  return 0;
}

}  // namespace

std::int64_t resident_bytes() { return status_bytes("VmRSS:"); }

std::int64_t peak_resident_bytes() { return status_bytes("VmHWM:"); }

void forget_peak_memory() { std::ofstream("/proc/self/clear_refs") << "5"; }

std::int32_t thread_number() {
  static std::atomic<std::int32_t> next{0};
  thread_local const std::int32_t own = next++;
  return own;
}

}  // namespace ampprof::profiler
