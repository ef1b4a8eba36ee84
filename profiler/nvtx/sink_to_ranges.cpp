// SPDX-License-Identifier: Apache-2.0
#include "profiler/nvtx/sink_to_ranges.h"

#include <atomic>
#include <exception>

namespace ampprof::profiler {
namespace {

std::atomic<Ranges*> g_ranges{nullptr};

/// Catches exceptions, which must not pass through the C code that calls NVTX. If memory runs out, a range is lost.
template <typename Action>
void guarded(Action&& action) noexcept {
  try {
    action(*g_ranges.load(std::memory_order_acquire));
  } catch (const std::exception&) {
  }
}

constexpr RangeSink kSink{
    .push =
        [](const char* domain, const char* text) {
          int level = -1;
          guarded([&](Ranges& ranges) { level = ranges.push(domain, text); });
          return level;
        },
    .pop =
        [](const char* domain) {
          int level = -1;
          guarded([&](Ranges& ranges) { level = ranges.pop(domain); });
          return level;
        },
    .start =
        [](const char* domain, const char* text) {
          std::uint64_t id = 0;
          guarded([&](Ranges& ranges) { id = ranges.start(domain, text); });
          return id;
        },
    .end = [](std::uint64_t id) { guarded([&](Ranges& ranges) { ranges.end(id); }); },
    .mark = [](const char* domain, const char* text) { guarded([&](Ranges& ranges) { ranges.mark(domain, text); }); },
};

}  // namespace

const RangeSink& sink_to(Ranges& ranges) {
  g_ranges.store(&ranges, std::memory_order_release);
  return kSink;
}

}  // namespace ampprof::profiler
