// SPDX-License-Identifier: Apache-2.0
// A library for NVTX_INJECTION64_PATH: the injection with a sink. Prints the ranges to stdout when the process ends.
// Its clock advances by 1 at each read. With TEST_LISTENS=late, test_listen() sets the sink.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>

#include "profiler/nvtx/sink_to_ranges.h"

namespace ampprof::profiler {
namespace {

std::atomic<std::int64_t> g_now{1};
std::atomic<std::int32_t> g_threads{0};

std::int32_t thread_number() {
  thread_local const std::int32_t own = g_threads++;
  return own;
}

Ranges& ranges() {
  static auto* only = new Ranges({.now_ns = [] { return g_now++; }, .thread = thread_number});
  return *only;
}

__attribute__((constructor)) void listen() {
  if (std::getenv("TEST_LISTENS") == nullptr) set_range_sink(&sink_to(ranges()));
}

__attribute__((destructor)) void print() {
  set_range_sink(nullptr);
  const TakenRanges taken = ranges().finish(g_now);
  std::map<std::int64_t, std::string> names;
  for (const auto& [id, text] : taken.names) names[id] = text;
  for (const NvtxRange& range : taken.ranges) {
    std::printf("range %d %d [%s] %ld-%ld\n", range.thread, range.depth, names[range.name].c_str(),
                static_cast<long>(range.start_ns), static_cast<long>(range.end_ns));
  }
  std::fflush(stdout);
}

}  // namespace
}  // namespace ampprof::profiler

extern "C" __attribute__((visibility("default"))) void test_listen() {
  using namespace ampprof::profiler;
  set_range_sink(&sink_to(ranges()));
}
