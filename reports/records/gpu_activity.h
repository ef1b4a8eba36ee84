// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace ampprof {

/// Numbers are stored in report files: never renumber.
enum class GpuActivityKind : std::uint8_t { Kernel = 0, Memcpy = 1, Memset = 2 };

/// Returns the name in JSON: kernel, memcpy, memset. Never rename.
std::string_view name_of(GpuActivityKind kind);
/// Returns the kind with a number from a file; Kernel for an invalid number.
GpuActivityKind gpu_activity_kind_from_number(std::int64_t number);

/// One GPU activity of the program: a kernel, a memcpy or a memset. Times are nanoseconds since the run's recorder
/// started, on its clock.
struct GpuActivity {
  std::int64_t segment = 0;    ///< segment of the op call that launched it; 0 if unknown
  std::int64_t call_site = 0;  ///< call site of that call; 0 also for launches outside of any op call
  std::int64_t start_ns = 0;   ///< on the device
  std::int64_t duration_ns = 0;
  std::int64_t launched_ns = 0;  ///< when the thread entered the launching call; 0 if unknown
  std::int64_t bytes = 0;        ///< for a memcpy or a memset
  std::int32_t name = 0;         ///< id of an interned text: a kernel's mangled name, "memcpy host to device", "memset"
  std::int32_t device = 0;       ///< ordinal
  std::int32_t stream = 0;       ///< as the driver numbers it
  std::int32_t thread = 0;       ///< the launching thread, as OpCall::thread; 0 if unknown
  std::int32_t graph = 0;        ///< id of the CUDA graph with this activity as a node; 0 for none
  GpuActivityKind kind = GpuActivityKind::Kernel;

  bool operator==(const GpuActivity&) const = default;
};

}  // namespace ampprof
