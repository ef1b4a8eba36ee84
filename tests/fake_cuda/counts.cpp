// SPDX-License-Identifier: Apache-2.0
#include "tests/fake_cuda/counts.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>

#include "tests/fake_cuda/fake_cuda.h"
#include "tests/fake_cuda/settings.h"

namespace fake_cuda {
namespace {

struct Counts {
  std::mutex mutex;
  std::map<std::string, Count> by_name;
};

Counts& counts() {
  static Counts& only = *new Counts;  // never destroyed, because libraries call CUDA in their destructors
  return only;
}

std::atomic<bool> driver_has_gone{false};

/// Registers the driver's exit handler at the first call, as the real driver does. Exit handlers that were registered
/// earlier run later, when the driver is already gone.
void driver_is_up() {
  [[maybe_unused]] static const int once = std::atexit([] { driver_has_gone = true; });
}

// Writes the counts to FILE.PID, one file for each process that used a device.
[[gnu::destructor]] void write_counts() {
  if (settings().counts_file.empty()) return;
  const std::string name = settings().counts_file + "." + std::to_string(getpid());
  std::FILE* file = std::fopen(name.c_str(), "w");
  if (file == nullptr) return;
  const std::lock_guard lock(counts().mutex);
  for (const auto& [of, count] : counts().by_name) {
    if (count != 0) std::fprintf(file, "%ld\t%s\n", count.load(), of.c_str());
  }
  std::fclose(file);
}

}  // namespace

Count& count_of(const std::string& name) {
  const std::lock_guard lock(counts().mutex);
  return counts().by_name[name];
}

void count_call(Count& count, const char* name) {
  driver_is_up();
  if (driver_has_gone) ++count_of("calls after the driver has gone");
  ++count;
  if (settings().logs) std::fprintf(stderr, "[fake CUDA] %s\n", name);
}

}  // namespace fake_cuda

FAKE_CUDA_API long fake_cuda_count(const char* name) { return fake_cuda::count_of(name); }
