// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// The seam between the injection, which is mapped into every process, and whoever keeps the ranges: a table of plain
/// functions. No type of NVTX crosses it.
namespace ampprof::profiler {

/// Takes what the program marks, on the thread that marks it. `domain` is "" for the default one. Texts are UTF-8 and
/// live as long as the call. The functions throw nothing, and may be called until the process ends.
struct RangeSink {
  int (*push)(const char* domain, const char* text);  ///< level in the domain on this thread, from 0; negative: refused
  int (*pop)(const char* domain);                     ///< level of what ended; negative: nothing was open
  std::uint64_t (*start)(const char* domain, const char* text);  ///< what end() will be given; 0: refused
  void (*end)(std::uint64_t id);                                 ///< an unknown id is passed over
  void (*mark)(const char* domain, const char* text);
};

/// ampprof's own ranges, which are for other tools: the injection refuses this domain.
inline constexpr const char* kOwnDomain = "ampprof";

/// Gives to `sink` what is marked from here on. It is not owned, and has to stay. Null: all is dropped, as at the
/// start.
void set_range_sink(const RangeSink* sink) noexcept;
const RangeSink* range_sink() noexcept;

}  // namespace ampprof::profiler
