// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// The interface between the injection, which is mapped into every process, and the code that keeps the ranges: a table
/// of plain functions, without NVTX types.
namespace ampprof::profiler {

/// Receives the program's NVTX calls, on the calling thread. `domain` is "" for the default domain. Texts are UTF-8 and
/// live as long as the call. The functions do not throw. They may be called until the process ends.
struct RangeSink {
  int (*push)(const char* domain, const char* text);  ///< level in the domain, from 0; negative if refused
  int (*pop)(const char* domain);                     ///< level of the range that ended; negative if none was open
  std::uint64_t (*start)(const char* domain, const char* text);  ///< the id for end(); 0 if refused
  void (*end)(std::uint64_t id);                                 ///< ignores an unknown id
  void (*mark)(const char* domain, const char* text);
};

/// The domain of ampprof's own ranges, which are for other tools. The injection refuses it.
inline constexpr const char* kOwnDomain = "ampprof";

/// Sends all NVTX calls from now on to `sink`, which is not owned and must stay alive. Null, the initial value, drops
/// them.
void set_range_sink(const RangeSink* sink) noexcept;
const RangeSink* range_sink() noexcept;

}  // namespace ampprof::profiler
