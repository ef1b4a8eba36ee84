// SPDX-License-Identifier: Apache-2.0
#include "profiler/memory/resident_memory.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
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
  char text[128] = {};  // empty where it cannot be read
  [[maybe_unused]] const ssize_t size = pread(statm, text, sizeof text, 0);
  long long resident{};
  std::sscanf(text, "%*s %lld", &resident);  // behind the whole size, both in pages
  return resident * page;
}

std::int64_t peak_resident_bytes() {
  constexpr std::string_view kKey = "VmHWM:";
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(kKey)) return std::atoll(line.c_str() + kKey.size()) * kKibibyte;
  }
  return {};
}

void forget_peak_memory() { std::ofstream("/proc/self/clear_refs") << "5"; }

}  // namespace ampprof::profiler
