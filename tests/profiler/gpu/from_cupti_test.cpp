// SPDX-License-Identifier: Apache-2.0
#include "profiler/gpu/from_cupti.h"

#include <cupti.h>
#include <gtest/gtest.h>

#include <cstring>
#include <utility>
#include <vector>

namespace ampprof::profiler {
namespace from_cupti_test {

/// Holds a copy of a record, exactly as long as the record and at an odd address, so that a sanitizer sees reads beyond
/// it.
class Bytes {
 public:
  template <typename Record>
  explicit Bytes(const Record& record) : bytes_(sizeof record + 1) {
    std::memcpy(bytes_.data() + 1, &record, sizeof record);
  }
  std::span<const std::byte> all() const { return std::span(bytes_).subspan(1); }

 private:
  std::vector<std::byte> bytes_;
};

template <typename Record>
Activity read(const Record& record, std::string_view name = "") {
  return activity_of(Bytes(record).all(), name);
}

/// Returns a record of a kind. Sets its times, device and stream if it has such fields.
template <typename Record>
Record placed(CUpti_ActivityKind kind) {
  Record record{};
  record.kind = kind;
  record.start = 100;
  record.end = 200;
  record.deviceId = 1;
  record.contextId = 2;
  record.streamId = 3;
  record.correlationId = 4;
  record.graphId = 5;
  if constexpr (requires { record.graphNodeId; }) record.graphNodeId = 6;
  return record;
}

constexpr DeviceExecution kRun{
    .start = 100, .end = 200, .device = 1, .context = 2, .stream = 3, .correlation = 4, .graph = 5, .graph_node = 6};

TEST(FromCupti, ReadsAKernelAndTakesItsNameFromTheCaller) {
  for (const auto kind : {CUPTI_ACTIVITY_KIND_KERNEL, CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL}) {
    auto record = placed<CUpti_ActivityKernel10>(kind);
    record.name = reinterpret_cast<const char*>(8);  // an address of another process, invalid here
    EXPECT_EQ(read(record, "_Z4gemmv"), Activity(KernelActivity{kRun, "_Z4gemmv"}));
  }
}

TEST(FromCupti, ReadsCopiesAndFills) {
  auto copy = placed<CUpti_ActivityMemcpy6>(CUPTI_ACTIVITY_KIND_MEMCPY);
  copy.copyKind = CUPTI_ACTIVITY_MEMCPY_KIND_DTOH;
  copy.bytes = 64;
  EXPECT_EQ(read(copy), Activity(MemcpyActivity{kRun, MemcpyKind::DeviceToHost, 64}));
  copy.copyKind = 200;
  EXPECT_EQ(read(copy), Activity(MemcpyActivity{kRun, MemcpyKind::Unknown, 64}));
  auto peer = placed<CUpti_ActivityMemcpyPtoP4>(CUPTI_ACTIVITY_KIND_MEMCPY2);
  peer.copyKind = CUPTI_ACTIVITY_MEMCPY_KIND_PTOP;
  peer.bytes = 65;
  EXPECT_EQ(read(peer), Activity(MemcpyActivity{kRun, MemcpyKind::PeerToPeer, 65}));
  auto fill = placed<CUpti_ActivityMemset4>(CUPTI_ACTIVITY_KIND_MEMSET);
  fill.bytes = 66;
  EXPECT_EQ(read(fill), Activity(MemsetActivity{kRun, 66}));
}

TEST(FromCupti, ReadsCallsAndTheirIds) {
  CUpti_ActivityAPI call{};
  call.kind = CUPTI_ACTIVITY_KIND_DRIVER;
  call.start = 10;
  call.end = 20;
  call.correlationId = 4;
  call.threadId = 77;
  call.cbid = 307;
  EXPECT_EQ(read(call), Activity(ApiActivity{10, 20, 4, 77, 307, ApiKind::Driver}));
  call.kind = CUPTI_ACTIVITY_KIND_RUNTIME;
  EXPECT_EQ(read(call), Activity(ApiActivity{10, 20, 4, 77, 307, ApiKind::Runtime}));
  CUpti_ActivityExternalCorrelation id{};
  id.kind = CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION;
  id.externalKind = CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0;
  id.externalId = 1ULL << 40;
  id.correlationId = 4;
  EXPECT_EQ(read(id), Activity(ExternalIdActivity{1ULL << 40, 4, 3}));
}

TEST(FromCupti, ReadsOverheadPoolsAndGraphs) {
  CUpti_ActivityOverhead3 overhead{};
  overhead.kind = CUPTI_ACTIVITY_KIND_OVERHEAD;
  overhead.overheadKind = CUPTI_ACTIVITY_OVERHEAD_CUPTI_BUFFER_FLUSH;
  overhead.start = 1;
  overhead.end = 2;
  EXPECT_EQ(read(overhead), Activity(OverheadActivity{OverheadKind::BufferFlush, 1, 2}));
  CUpti_ActivityMemoryPool3 pool{};
  pool.kind = CUPTI_ACTIVITY_KIND_MEMORY_POOL;
  pool.memoryPoolOperationType = CUPTI_ACTIVITY_MEMORY_POOL_OPERATION_TYPE_TRIMMED;
  pool.deviceId = 1;
  pool.address = 0x1000;
  pool.size = 4096;
  pool.timestamp = 9;
  EXPECT_EQ(read(pool), Activity(MemoryPoolActivity{PoolOperation::Trimmed, 1, 0x1000, 4096, 9}));
  DeviceExecution whole = kRun;
  whole.graph_node = 0;
  EXPECT_EQ(read(placed<CUpti_ActivityGraphTrace2>(CUPTI_ACTIVITY_KIND_GRAPH_TRACE)), Activity(GraphActivity{whole}));
}

TEST(FromCupti, KnowsTheKindsOfOverheadAndOfWhatPoolsDo) {
  const std::pair<std::uint32_t, OverheadKind> overheads[]{
      {CUPTI_ACTIVITY_OVERHEAD_DRIVER_COMPILER, OverheadKind::Compiler},
      {CUPTI_ACTIVITY_OVERHEAD_CUPTI_BUFFER_FLUSH, OverheadKind::BufferFlush},
      {CUPTI_ACTIVITY_OVERHEAD_CUPTI_INSTRUMENTATION, OverheadKind::Instrumentation},
      {CUPTI_ACTIVITY_OVERHEAD_CUPTI_RESOURCE, OverheadKind::Resource},
      {CUPTI_ACTIVITY_OVERHEAD_RUNTIME_TRIGGERED_MODULE_LOADING, OverheadKind::ModuleLoading},
      {CUPTI_ACTIVITY_OVERHEAD_LAZY_FUNCTION_LOADING, OverheadKind::FunctionLoading},
      {CUPTI_ACTIVITY_OVERHEAD_COMMAND_BUFFER_FULL, OverheadKind::CommandBufferFull},
      {CUPTI_ACTIVITY_OVERHEAD_ACTIVITY_BUFFER_REQUEST, OverheadKind::BufferRequest},
      {1234, OverheadKind::Other}};
  for (const auto& [number, kind] : overheads) {
    CUpti_ActivityOverhead3 record{};
    record.kind = CUPTI_ACTIVITY_KIND_OVERHEAD;
    std::memcpy(&record.overheadKind, &number, sizeof number);
    EXPECT_EQ(read(record), Activity(OverheadActivity{kind, 0, 0})) << number;
  }
  const std::pair<std::uint32_t, PoolOperation> operations[]{
      {CUPTI_ACTIVITY_MEMORY_POOL_OPERATION_TYPE_CREATED, PoolOperation::Created},
      {CUPTI_ACTIVITY_MEMORY_POOL_OPERATION_TYPE_DESTROYED, PoolOperation::Destroyed},
      {CUPTI_ACTIVITY_MEMORY_POOL_OPERATION_TYPE_TRIMMED, PoolOperation::Trimmed},
      {1234, PoolOperation::Other}};
  for (const auto& [number, operation] : operations) {
    CUpti_ActivityMemoryPool3 record{};
    record.kind = CUPTI_ACTIVITY_KIND_MEMORY_POOL;
    std::memcpy(&record.memoryPoolOperationType, &number, sizeof number);
    EXPECT_EQ(read(record), Activity(MemoryPoolActivity{operation, 0, 0, 0, 0})) << number;
  }
}

TEST(FromCupti, KnowsHowLongARecordIs) {
  EXPECT_EQ(size_of_record(CUPTI_ACTIVITY_KIND_KERNEL), sizeof(CUpti_ActivityKernel10));
  EXPECT_EQ(size_of_record(CUPTI_ACTIVITY_KIND_MEMSET), sizeof(CUpti_ActivityMemset4));
}

TEST(FromCupti, ReadsARecordThatALaterCuptiMadeLonger) {
  struct {
    CUpti_ActivityKernel10 known = placed<CUpti_ActivityKernel10>(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
    std::uint64_t fresh = 99;
  } longer;
  EXPECT_EQ(read(longer, "k"), Activity(KernelActivity{kRun, "k"}));
}

TEST(FromCupti, ReadsNothingBeyondTheEndOfARecord) {
  for (std::uint32_t kind = 0; kind < 60; ++kind) {
    const std::size_t size = size_of_record(kind);
    for (std::size_t length = 4; length < size; ++length) {
      std::vector<std::byte> bytes(length);
      std::memcpy(bytes.data(), &kind, sizeof kind);
      EXPECT_EQ(activity_of(bytes, ""), Activity(UnreadActivity{kind, true}));
      EXPECT_EQ(live_name_of(bytes), "");
    }
  }
  EXPECT_EQ(activity_of({}, ""), Activity(UnreadActivity{}));
}

TEST(FromCupti, ReadsAnyNumberWhereCuptiHasAnEnumerator) {
  for (std::uint32_t kind = 0; kind < 60; ++kind) {
    std::vector<std::byte> bytes(size_of_record(kind), std::byte{0xdf});
    if (bytes.empty()) continue;
    std::memcpy(bytes.data(), &kind, sizeof kind);
    EXPECT_FALSE(std::holds_alternative<UnreadActivity>(activity_of(bytes, "")));
  }
}

TEST(FromCupti, KnowsWhatItDoesNotRead) {
  CUpti_ActivityAPI record{};
  record.kind = CUPTI_ACTIVITY_KIND_MARKER;
  EXPECT_EQ(read(record), Activity(UnreadActivity{CUPTI_ACTIVITY_KIND_MARKER, false}));
  EXPECT_EQ(size_of_record(CUPTI_ACTIVITY_KIND_MARKER), 0U);
}

TEST(FromCupti, FollowsTheNameOfAKernelOfThisProcess) {
  auto record = placed<CUpti_ActivityKernel10>(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
  EXPECT_EQ(live_name_of(Bytes(record).all()), "");
  record.name = "_Z4gemmv";
  EXPECT_EQ(live_name_of(Bytes(record).all()), "_Z4gemmv");
  record.kind = CUPTI_ACTIVITY_KIND_KERNEL;
  EXPECT_EQ(live_name_of(Bytes(record).all()), "_Z4gemmv");
  EXPECT_EQ(live_name_of(Bytes(record).all().first(sizeof record - 1)), "") << "of a record that is cut short";
  record.kind = CUPTI_ACTIVITY_KIND_MARKER;
  EXPECT_EQ(live_name_of(Bytes(record).all()), "") << "of another kind, as long as a kernel's record";
  EXPECT_EQ(live_name_of(Bytes(placed<CUpti_ActivityMemset4>(CUPTI_ACTIVITY_KIND_MEMSET)).all()), "");
}

}  // namespace from_cupti_test
}  // namespace ampprof::profiler
