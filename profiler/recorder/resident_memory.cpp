// SPDX-License-Identifier: Apache-2.0
#include "profiler/recorder/resident_memory.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>

namespace ampprof::profiler {
namespace {

constexpr std::int64_t kKibibyte = 1024;

}  // namespace

std::int64_t resident_bytes() {
  static const int statm = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  static const std::int64_t page = sysconf(_SC_PAGESIZE);
  char text[128] = {};
  if (pread(statm, text, sizeof text - 1, 0) <= 0) return 0;
  char* end = nullptr;
  std::strtoll(text, &end, 10);  // skips the total size; the resident size follows; both are in pages
  return std::strtoll(end, nullptr, 10) * page;
}

std::int64_t peak_resident_bytes() {
  constexpr std::string_view kKey = "VmHWM:";
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(kKey)) return std::strtoll(line.c_str() + kKey.size(), nullptr, 10) * kKibibyte;
  }
  return 0;
}

void forget_peak_memory() { std::ofstream("/proc/self/clear_refs") << "5"; }

}  // namespace ampprof::profiler
