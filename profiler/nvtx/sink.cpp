// SPDX-License-Identifier: Apache-2.0
#include "profiler/nvtx/sink.h"

#include <atomic>

namespace ampprof::profiler {
namespace {
std::atomic<const RangeSink*> g_sink{nullptr};
}

void set_range_sink(const RangeSink* sink) noexcept { g_sink.store(sink, std::memory_order_release); }

const RangeSink* range_sink() noexcept { return g_sink.load(std::memory_order_acquire); }

}  // namespace ampprof::profiler
