// SPDX-License-Identifier: Apache-2.0
#include "profiler/gpu/from_cupti.h"

#include <cupti.h>

#include <cstring>

namespace ampprof::profiler {
namespace {

/// Calls `visit` for the record type of a kind. These are the types that CUPTI 13.0 fills. A later CUPTI only appends
/// to them.
template <typename Visit>
void visit_type(std::uint32_t kind, Visit visit) {
  switch (kind) {
    case CUPTI_ACTIVITY_KIND_KERNEL:
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
      return visit(CUpti_ActivityKernel10{});
    case CUPTI_ACTIVITY_KIND_MEMCPY:
      return visit(CUpti_ActivityMemcpy6{});
    case CUPTI_ACTIVITY_KIND_MEMCPY2:
      return visit(CUpti_ActivityMemcpyPtoP4{});
    case CUPTI_ACTIVITY_KIND_MEMSET:
      return visit(CUpti_ActivityMemset4{});
    case CUPTI_ACTIVITY_KIND_RUNTIME:
    case CUPTI_ACTIVITY_KIND_DRIVER:
      return visit(CUpti_ActivityAPI{});
    case CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION:
      return visit(CUpti_ActivityExternalCorrelation{});
    case CUPTI_ACTIVITY_KIND_OVERHEAD:
      return visit(CUpti_ActivityOverhead3{});
    case CUPTI_ACTIVITY_KIND_MEMORY_POOL:
      return visit(CUpti_ActivityMemoryPool3{});
    case CUPTI_ACTIVITY_KIND_GRAPH_TRACE:
      return visit(CUpti_ActivityGraphTrace2{});
    default:
      return;
  }
}

/// Returns device, stream, times and launch of an activity. All record types of activities have these fields under the
/// same names.
template <typename Record>
DeviceExecution run_of(const Record& record) {
  return {.start = record.start,
          .end = record.end,
          .device = record.deviceId,
          .context = record.contextId,
          .stream = record.streamId,
          .correlation = record.correlationId,
          .graph = record.graphId,
          .graph_node = record.graphNodeId};
}

MemcpyKind copy_kind(std::uint8_t kind) {
  return kind <= CUPTI_ACTIVITY_MEMCPY_KIND_PTOP ? static_cast<MemcpyKind>(kind) : MemcpyKind::Unknown;
}

OverheadKind overhead_kind(std::uint32_t kind) {
  switch (kind) {
    case CUPTI_ACTIVITY_OVERHEAD_DRIVER_COMPILER:
      return OverheadKind::Compiler;
    case CUPTI_ACTIVITY_OVERHEAD_CUPTI_BUFFER_FLUSH:
      return OverheadKind::BufferFlush;
    case CUPTI_ACTIVITY_OVERHEAD_CUPTI_INSTRUMENTATION:
      return OverheadKind::Instrumentation;
    case CUPTI_ACTIVITY_OVERHEAD_CUPTI_RESOURCE:
      return OverheadKind::Resource;
    case CUPTI_ACTIVITY_OVERHEAD_RUNTIME_TRIGGERED_MODULE_LOADING:
      return OverheadKind::ModuleLoading;
    case CUPTI_ACTIVITY_OVERHEAD_LAZY_FUNCTION_LOADING:
      return OverheadKind::FunctionLoading;
    case CUPTI_ACTIVITY_OVERHEAD_COMMAND_BUFFER_FULL:
      return OverheadKind::CommandBufferFull;
    case CUPTI_ACTIVITY_OVERHEAD_ACTIVITY_BUFFER_REQUEST:
      return OverheadKind::BufferRequest;
    default:
      return OverheadKind::Other;
  }
}

PoolOperation pool_operation(std::uint32_t operation) {
  switch (operation) {
    case CUPTI_ACTIVITY_MEMORY_POOL_OPERATION_TYPE_CREATED:
      return PoolOperation::Created;
    case CUPTI_ACTIVITY_MEMORY_POOL_OPERATION_TYPE_DESTROYED:
      return PoolOperation::Destroyed;
    case CUPTI_ACTIVITY_MEMORY_POOL_OPERATION_TYPE_TRIMMED:
      return PoolOperation::Trimmed;
    default:
      return PoolOperation::Other;
  }
}

/// Returns an enumerator as a number. The bytes of a file may have any value, and reading an invalid one as the
/// enumeration would be undefined behavior.
template <typename Record>
std::uint32_t number_at(const Record& record, std::size_t offset) {
  std::uint32_t number{};
  std::memcpy(&number, reinterpret_cast<const std::byte*>(&record) + offset, sizeof number);
  return number;
}

Activity convert(const CUpti_ActivityKernel10& record, std::string_view name) {
  return KernelActivity{run_of(record), name};
}

Activity convert(const CUpti_ActivityMemcpy6& record, std::string_view) {
  return MemcpyActivity{run_of(record), copy_kind(record.copyKind), record.bytes};
}

Activity convert(const CUpti_ActivityMemcpyPtoP4& record, std::string_view) {
  return MemcpyActivity{run_of(record), copy_kind(record.copyKind), record.bytes};
}

Activity convert(const CUpti_ActivityMemset4& record, std::string_view) {
  return MemsetActivity{run_of(record), record.bytes};
}

Activity convert(const CUpti_ActivityAPI& record, std::string_view) {
  return ApiActivity{.start = record.start,
                     .end = record.end,
                     .correlation = record.correlationId,
                     .thread = record.threadId,
                     .function = record.cbid,
                     .kind = number_at(record, offsetof(CUpti_ActivityAPI, kind)) == CUPTI_ACTIVITY_KIND_RUNTIME
                                 ? ApiKind::Runtime
                                 : ApiKind::Driver};
}

Activity convert(const CUpti_ActivityExternalCorrelation& record, std::string_view) {
  return ExternalIdActivity{record.externalId, record.correlationId,
                            number_at(record, offsetof(CUpti_ActivityExternalCorrelation, externalKind))};
}

Activity convert(const CUpti_ActivityOverhead3& record, std::string_view) {
  return OverheadActivity{overhead_kind(number_at(record, offsetof(CUpti_ActivityOverhead3, overheadKind))),
                          record.start, record.end};
}

Activity convert(const CUpti_ActivityMemoryPool3& record, std::string_view) {
  return MemoryPoolActivity{
      .operation = pool_operation(number_at(record, offsetof(CUpti_ActivityMemoryPool3, memoryPoolOperationType))),
      .device = record.deviceId,
      .address = record.address,
      .size = record.size,
      .time = record.timestamp};
}

Activity convert(const CUpti_ActivityGraphTrace2& record, std::string_view) {
  return GraphActivity{{.start = record.start,
                        .end = record.end,
                        .device = record.deviceId,
                        .context = record.contextId,
                        .stream = record.streamId,
                        .correlation = record.correlationId,
                        .graph = record.graphId}};
}

}  // namespace

static_assert(kOurStack == CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM2);

std::uint32_t cupti_version_built_for() { return CUPTI_API_VERSION; }

std::uint32_t kind_of_record(std::span<const std::byte> record) {
  std::uint32_t kind = 0;
  if (record.size() >= sizeof kind) std::memcpy(&kind, record.data(), sizeof kind);
  return kind;
}

std::size_t size_of_record(std::uint32_t kind) {
  std::size_t size = 0;
  visit_type(kind, [&](const auto& record) { size = sizeof record; });
  return size;
}

Activity activity_of(std::span<const std::byte> record, std::string_view name) {
  const std::uint32_t kind = kind_of_record(record);
  Activity activity = UnreadActivity{.kind = kind};
  visit_type(kind, [&](auto aligned) {
    if (record.size() < sizeof aligned) {
      activity = UnreadActivity{.kind = kind, .is_short = true};
    } else {
      std::memcpy(&aligned, record.data(), sizeof aligned);
      activity = convert(aligned, name);
    }
  });
  return activity;
}

std::string_view live_name_of(std::span<const std::byte> record) {
  const std::uint32_t kind = kind_of_record(record);
  CUpti_ActivityKernel10 kernel;
  if (kind != CUPTI_ACTIVITY_KIND_KERNEL && kind != CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) return {};
  if (record.size() < sizeof kernel) return {};
  std::memcpy(&kernel, record.data(), sizeof kernel);
  return kernel.name != nullptr ? std::string_view(kernel.name) : std::string_view();
}

}  // namespace ampprof::profiler
