// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <variant>
#include <vector>

#include "profiler/gpu/clock.h"

/// CUPTI's records of a program in ampprof's own types, so that reading, keeping and correlating them needs no CUPTI
/// header. Ids are CUPTI's. Times are nanoseconds on CUPTI's clock (clock.h converts them to the recorder's).
namespace ampprof::profiler {

/// The device, stream and time of an activity, and the call and graph that launched it.
struct DeviceExecution {
  std::uint64_t start = 0;  ///< start and end; either is 0 if CUPTI had no device memory for the time
  std::uint64_t end = 0;
  std::uint32_t device = 0;
  std::uint32_t context = 0;
  std::uint32_t stream = 0;
  std::uint32_t correlation = 0;  ///< correlation id of the launching API call; 0 for none
  std::uint32_t graph = 0;        ///< 0 outside of CUDA graphs
  std::uint64_t graph_node = 0;

  bool operator==(const DeviceExecution&) const = default;
};

/// Enumerators have the values of CUpti_ActivityMemcpyKind.
enum class MemcpyKind : std::uint8_t {
  Unknown = 0,
  HostToDevice = 1,
  DeviceToHost = 2,
  HostToArray = 3,
  ArrayToHost = 4,
  ArrayToArray = 5,
  ArrayToDevice = 6,
  DeviceToArray = 7,
  DeviceToDevice = 8,
  HostToHost = 9,
  PeerToPeer = 10,
};

enum class ApiKind : std::uint8_t { Runtime, Driver };

/// Kinds of overhead that CUPTI itself adds to the program.
enum class OverheadKind : std::uint8_t {
  Other,
  Compiler,
  BufferFlush,
  Instrumentation,
  Resource,
  ModuleLoading,
  FunctionLoading,
  CommandBufferFull,
  BufferRequest,
};
inline constexpr std::size_t kOverheadKinds = 9;

enum class PoolOperation : std::uint8_t { Other, Created, Destroyed, Trimmed };

/// A kernel. `name` is mangled, and lives as long as the record's buffer. It is empty if CUPTI reported none.
struct KernelActivity {
  DeviceExecution run;
  std::string_view name;
  bool operator==(const KernelActivity&) const = default;
};

struct MemcpyActivity {
  DeviceExecution run;
  MemcpyKind kind = MemcpyKind::Unknown;
  std::uint64_t bytes = 0;
  bool operator==(const MemcpyActivity&) const = default;
};

struct MemsetActivity {
  DeviceExecution run;
  std::uint64_t bytes = 0;
  bool operator==(const MemsetActivity&) const = default;
};

/// A call of the CUDA runtime or driver. `thread` is the operating system's thread id.
struct ApiActivity {
  std::uint64_t start = 0;
  std::uint64_t end = 0;
  std::uint32_t correlation = 0;
  std::uint32_t thread = 0;
  std::uint32_t function = 0;  ///< callback id (cbid) of the runtime or the driver
  ApiKind kind = ApiKind::Runtime;
  bool operator==(const ApiActivity&) const = default;
};

/// Identifies the stack to which ampprof pushes external ids. Each thread has one stack per kind. Kineto uses kinds 3
/// and 4.
inline constexpr std::uint32_t kOurStack = 5;  // CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM2

/// The id on top of an external id stack at an API call.
struct ExternalIdActivity {
  std::uint64_t external_id = 0;
  std::uint32_t correlation = 0;
  std::uint32_t stack = kOurStack;
  bool operator==(const ExternalIdActivity&) const = default;
};

struct OverheadActivity {
  OverheadKind kind = OverheadKind::Other;
  std::uint64_t start = 0;
  std::uint64_t end = 0;
  bool operator==(const OverheadActivity&) const = default;
};

/// The state of a memory pool of cudaMallocAsync after an operation on it.
struct MemoryPoolActivity {
  PoolOperation operation = PoolOperation::Other;
  std::uint32_t device = 0;
  std::uint64_t address = 0;  ///< address of the pool, which identifies the pool
  std::uint64_t size = 0;     ///< bytes taken from the device
  std::uint64_t time = 0;
  bool operator==(const MemoryPoolActivity&) const = default;
};

/// A launch of a CUDA graph that CUPTI recorded as a whole, without its kernels.
struct GraphActivity {
  DeviceExecution run;
  bool operator==(const GraphActivity&) const = default;
};

/// A record of a kind or size that this build cannot read.
struct UnreadActivity {
  std::uint32_t kind = 0;
  bool is_short = false;  ///< the kind is known, but the record is too short
  bool operator==(const UnreadActivity&) const = default;
};

using Activity = std::variant<KernelActivity, MemcpyActivity, MemsetActivity, ApiActivity, ExternalIdActivity,
                              OverheadActivity, MemoryPoolActivity, GraphActivity, UnreadActivity>;

/// The records of one CUPTI buffer, in no particular order.
struct ActivityBuffer {
  CuptiClock clock;  ///< read when the buffer arrived
  std::vector<Activity> activities;
  std::uint64_t dropped = 0;  ///< records that CUPTI dropped since the last buffer for lack of space
  bool is_cut_short = false;  ///< the rest of the buffer could not be read
};

}  // namespace ampprof::profiler
