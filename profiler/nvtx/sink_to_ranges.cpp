// SPDX-License-Identifier: Apache-2.0
#include "profiler/nvtx/sink_to_ranges.h"

#include <atomic>
#include <exception>

namespace ampprof::profiler {
namespace {

std::atomic<Ranges*> g_ranges{nullptr};

/// NVTX is called from C, through which no exception passes: without memory a range is lost, not the program.
template <typename Result, typename Action>
Result guarded(Result otherwise, Action&& action) noexcept {
  try {
    return action(*g_ranges.load(std::memory_order_acquire));
  } catch (const std::exception&) {
    return otherwise;
  }
}

constexpr RangeSink kSink{
    .push = [](const char* domain,
               const char* text) { return guarded(-1, [&](Ranges& ranges) { return ranges.push(domain, text); }); },
    .pop = [](const char* domain) { return guarded(-1, [&](Ranges& ranges) { return ranges.pop(domain); }); },
    .start =
        [](const char* domain, const char* text) {
          return guarded(std::uint64_t{0}, [&](Ranges& ranges) { return ranges.start(domain, text); });
        },
    .end = [](std::uint64_t id) { guarded(0, [&](Ranges& ranges) { return ranges.end(id), 0; }); },
    .mark = [](const char* domain,
               const char* text) { guarded(0, [&](Ranges& ranges) { return ranges.mark(domain, text), 0; }); },
};

}  // namespace

const RangeSink& sink_to(Ranges& ranges) {
  g_ranges.store(&ranges, std::memory_order_release);
  return kSink;
}

}  // namespace ampprof::profiler
