// SPDX-License-Identifier: Apache-2.0
// A fake libcupti.so.13 for machines without a GPU. Each pushed external id launches kernels. With "true_launches", it
// records the launches on the fake CUDA runtime (tests/fake_cuda) instead. FAKE_CUPTI lists its faults and modes,
// separated by commas. Built as FAKE_OLD_CUPTI, it has only the functions that every CUPTI version has.
#include <cupti.h>
#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "reports/records/dtype.h"

namespace {

constexpr std::uint64_t kNow = 5'000'000;  // constant time on CUPTI's clock
constexpr std::uint64_t kApart = 10'000;   // ns between launches
constexpr std::uint64_t kKernel = 2'000;   // ns per kernel
constexpr const char* kNames[] = {"_Z4gemmv", "_Z4castv"};

/// Returns whether the environment variable FAKE_CUPTI has this word.
bool has(const std::string& word) {
  const char* all = std::getenv("FAKE_CUPTI");
  return all != nullptr && ("," + std::string(all) + ",").find("," + word + ",") != std::string::npos;
}

struct State {
  std::recursive_mutex mutex;
  CUpti_BuffersCallbackRequestFunc request = nullptr;
  CUpti_BuffersCallbackCompleteFunc complete = nullptr;
  std::uint8_t* buffer = nullptr;
  std::size_t size = 0;
  std::size_t used = 0;
  std::size_t dropped = 0;
  std::uint32_t launches = 0;
  int pushed = 0;
  int read_again = 0;
  bool is_subscribed = false;
  bool has_system_threads = false;
  bool is_taken = false;  ///< another profiler has subscribed and must not be disturbed
  std::set<CUpti_ActivityKind> enabled;
  std::set<std::pair<CUpti_CallbackDomain, CUpti_CallbackId>> enabled_calls;
};

/// Returns the time on CUPTI's clock: constant, or the real time with "true_clock".
std::uint64_t now() {
  if (!has("true_clock")) return kNow;
  return static_cast<std::uint64_t>(std::chrono::system_clock::now().time_since_epoch() / std::chrono::nanoseconds(1));
}

State& state() {
  static State& only = *new State;  // never destroyed: recordings end after the program's destructors
  return only;
}

std::size_t size_of(CUpti_ActivityKind kind) {
  switch (kind) {
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
      return sizeof(CUpti_ActivityKernel10);
    case CUPTI_ACTIVITY_KIND_RUNTIME:
      return sizeof(CUpti_ActivityAPI);
    case CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION:
      return sizeof(CUpti_ActivityExternalCorrelation);
    default:
      return 0;
  }
}

void complete_buffer(State& fake) {
  if (fake.buffer == nullptr) return;
  const std::size_t cut = has("cut") && fake.used > 8 ? 8 : 0;
  std::uint8_t* buffer = std::exchange(fake.buffer, nullptr);
  fake.complete(nullptr, 0, buffer, fake.size, std::exchange(fake.used, 0) - cut);
}

bool make_room(State& fake, std::size_t bytes) {
  if (fake.buffer != nullptr && fake.used + bytes > fake.size) complete_buffer(fake);
  if (fake.buffer == nullptr) {
    std::size_t most = 0;
    fake.request(&fake.buffer, &fake.size, &most);
    // The profiler must not limit the number of records in a buffer.
    if (most != 0 || (fake.buffer == nullptr) != (fake.size == 0)) std::abort();
  }
  return fake.buffer != nullptr;
}

template <typename Record>
void write(State& fake, const Record& record) {
  if (has("silent")) return;
  if (!make_room(fake, sizeof record)) {
    ++fake.dropped;
    return;
  }
  std::memcpy(fake.buffer + fake.used, &record, sizeof record);
  fake.used += sizeof record;
}

/// Returns whether the kernel-launching calls of the runtime API are recorded.
bool records_launches(const State& fake) {
  return fake.enabled.contains(CUPTI_ACTIVITY_KIND_RUNTIME) ||
         fake.enabled_calls.contains({CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000});
}

void write_external_id(State& fake, std::uint64_t id) {
  CUpti_ActivityExternalCorrelation external{};
  external.kind = CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION;
  external.externalKind = CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM2;
  external.externalId = id;
  external.correlationId = fake.launches;
  write(fake, external);
}

void write_api_call(State& fake) {
  CUpti_ActivityAPI api{};
  api.kind = CUPTI_ACTIVITY_KIND_RUNTIME;
  api.start = now() + (has("true_clock") ? 0 : fake.launches * kApart);
  api.end = api.start + 500;
  api.threadId = state().has_system_threads ? static_cast<std::uint32_t>(::gettid()) : 0;
  api.correlationId = fake.launches;
  write(fake, api);
}

void write_call(State& fake, std::uint64_t id) {
  if (!records_launches(fake)) return;
  write_external_id(fake, id);
  write_api_call(fake);
}

void write_kernel(State& fake, const char* name, std::uint32_t place) {
  CUpti_ActivityKernel10 kernel{};
  kernel.kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
  kernel.correlationId = fake.launches;
  kernel.streamId = 7;
  kernel.name = name;
  kernel.graphId = has("graph") ? 3 : 0;
  if (!has("zero")) {
    kernel.start = now() + (has("at_once") || has("true_clock") ? 0 : fake.launches * kApart) + 1'000 + place * kKernel;
    kernel.end = kernel.start + kKernel;
  }
  write(fake, kernel);
}

/// Writes one kernel for the first launch, two for the second, one for the third, and so on.
void write_kernels(State& fake) {
  for (std::uint32_t i = 0; i < (fake.launches % 2 == 1 ? 1U : 2U); ++i) {
    write_kernel(fake, kNames[i], i);
  }
}

/// Returns the ids that this thread has pushed.
std::vector<std::uint64_t>& ids_of_thread() {
  thread_local std::vector<std::uint64_t> ids;
  return ids;
}

void take_launch(const char* kernel) {
  State& fake = state();
  const std::lock_guard lock(fake.mutex);
  if (!fake.is_subscribed) return;
  ++fake.launches;
  if (records_launches(fake)) {
    if (!ids_of_thread().empty()) write_external_id(fake, ids_of_thread().back());
    write_api_call(fake);
  }
  write_kernel(fake, kernel, 0);
}

/// Subscribes to the launches of the fake CUDA runtime, which is part of the program.
void listen() {
  using OnLaunch = void (*)(void (*call)(const char* kernel));
  const auto on_launch = reinterpret_cast<OnLaunch>(dlsym(RTLD_DEFAULT, "fake_cuda_on_launch"));
  if (on_launch == nullptr) std::abort();
  on_launch(take_launch);
}

}  // namespace

extern "C" {

CUptiResult cuptiGetVersion(std::uint32_t* version) {
  if (has("no_version")) return CUPTI_ERROR_UNKNOWN;
  *version = has("cuda12") ? 26 : CUPTI_API_VERSION + (has("later") ? 100 : 0);
  return CUPTI_SUCCESS;
}

CUptiResult cuptiGetTimestamp(std::uint64_t* timestamp) {
  *timestamp = now();
  return CUPTI_SUCCESS;
}

static CUptiResult subscribe(CUpti_SubscriberHandle* subscriber) {
  if (has("no_driver")) return CUPTI_ERROR_NOT_INITIALIZED;
  if (has("unknown")) return CUPTI_ERROR_UNKNOWN;
  if (std::exchange(state().is_taken, false)) {  // the other profiler has unsubscribed
    state().is_subscribed = false;
    state().enabled.clear();
    state().enabled_calls.clear();
  }
  if (std::exchange(state().is_subscribed, true)) return CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
  state().launches = state().pushed = state().read_again = 0;
  if (has("true_launches")) listen();
  *subscriber = reinterpret_cast<CUpti_SubscriberHandle>(&state());
  return CUPTI_SUCCESS;
}

#ifdef FAKE_OLD_CUPTI
CUptiResult cuptiSubscribe(CUpti_SubscriberHandle* subscriber, CUpti_CallbackFunc, void*) {
  state().has_system_threads = true;
  return subscribe(subscriber);
}
#else
CUptiResult cuptiGetResultString(CUptiResult, const char** text) {
  *text = "FAKE_RESULT";
  return CUPTI_SUCCESS;
}

CUptiResult cuptiSubscribe_v2(CUpti_SubscriberHandle* subscriber, CUpti_CallbackFunc, void*,
                              CUpti_SubscriberParams* parameters) {
  state().has_system_threads = false;
  if (!has("held")) return subscribe(subscriber);
  std::strncpy(parameters->oldSubscriberName, "CUPTI for Kineto", parameters->oldSubscriberSize);
  return CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
}

CUptiResult cuptiGetCallbackName(CUpti_CallbackDomain domain, std::uint32_t id, const char** name) {
  const bool is_runtime = domain == CUPTI_CB_DOMAIN_RUNTIME_API;
  *name = nullptr;
  if (is_runtime && id == CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000) *name = "cudaLaunchKernel_v7000";
  if (is_runtime && id == CUPTI_RUNTIME_TRACE_CBID_cudaMemcpy_v3020) *name = "cudaMemcpy_v3020";
  if (is_runtime && id == CUPTI_RUNTIME_TRACE_CBID_cudaGetDevice_v3020) *name = "cudaGetDevice_v3020";
  if (!is_runtime && id == CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel) *name = "cuLaunchKernel";
  if (!is_runtime && id == CUPTI_DRIVER_TRACE_CBID_cuCtxGetCurrent) *name = "cuCtxGetCurrent";
  return *name != nullptr ? CUPTI_SUCCESS : CUPTI_ERROR_INVALID_PARAMETER;
}

static CUptiResult enable_call(CUpti_CallbackDomain domain, CUpti_CallbackId id, std::uint8_t enable) {
  const auto kind = domain == CUPTI_CB_DOMAIN_RUNTIME_API ? CUPTI_ACTIVITY_KIND_RUNTIME : CUPTI_ACTIVITY_KIND_DRIVER;
  const bool is_refused =
      has("no_kind_" + std::to_string(kind)) || has("no_call_" + std::to_string(domain) + "_" + std::to_string(id));
  if (is_refused) return CUPTI_ERROR_NOT_SUPPORTED;
  if (enable != 0) state().enabled_calls.insert({domain, id});
  if (enable == 0) state().enabled_calls.erase({domain, id});
  return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityEnableRuntimeApi(CUpti_CallbackId id, std::uint8_t enable) {
  return enable_call(CUPTI_CB_DOMAIN_RUNTIME_API, id, enable);
}

CUptiResult cuptiActivityEnableDriverApi(CUpti_CallbackId id, std::uint8_t enable) {
  return enable_call(CUPTI_CB_DOMAIN_DRIVER_API, id, enable);
}

/// Aborts: attributes apply to the whole process, so they would also apply to a profiler that the program starts later.
CUptiResult cuptiActivitySetAttribute(CUpti_ActivityAttribute, std::size_t*, void*) { std::abort(); }

/// Registers the callbacks of another profiler, as Kineto does.
void fake_cupti_take_over() {
  State& fake = state();
  const std::lock_guard lock(fake.mutex);
  complete_buffer(fake);
  fake.is_taken = true;
  fake.request = [](std::uint8_t** buffer, std::size_t* size, std::size_t* most) {
    *buffer = nullptr;
    *size = *most = 0;
  };
}

/// Returns how many functions are recorded one by one, or -1 if all functions of an API are recorded.
int fake_cupti_enabled_calls() {
  const State& fake = state();
  const bool has_kind = fake.enabled.contains(CUPTI_ACTIVITY_KIND_RUNTIME) ||
                        fake.enabled.contains(CUPTI_ACTIVITY_KIND_DRIVER);
  return has_kind ? -1 : static_cast<int>(fake.enabled_calls.size());
}

CUptiResult cuptiSetThreadIdType(CUpti_ActivityThreadIdType type) {
  state().has_system_threads = type == CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM;
  return CUPTI_SUCCESS;
}

CUptiResult cuptiGetThreadIdType(CUpti_ActivityThreadIdType* type) {
  *type = state().has_system_threads ? CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM : CUPTI_ACTIVITY_THREAD_ID_TYPE_DEFAULT;
  return CUPTI_SUCCESS;
}
#endif

CUptiResult cuptiUnsubscribe(CUpti_SubscriberHandle) {
  if (state().is_taken) std::abort();
  if (!state().enabled.empty() || !state().enabled_calls.empty()) std::abort();  // recording must be off: it costs time
  state().is_subscribed = false;
  return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityRegisterCallbacks(CUpti_BuffersCallbackRequestFunc request,
                                           CUpti_BuffersCallbackCompleteFunc complete) {
  if (has("no_callbacks")) return CUPTI_ERROR_UNKNOWN;
  state().request = request;
  state().complete = complete;
  return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityEnable(CUpti_ActivityKind kind) {
  if (has("forbidden")) return CUPTI_ERROR_INSUFFICIENT_PRIVILEGES;
  if (has("no_kind_" + std::to_string(kind))) return CUPTI_ERROR_NOT_SUPPORTED;
  state().enabled.insert(kind);
  return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityDisable(CUpti_ActivityKind kind) {
  if (state().is_taken) std::abort();
  state().enabled.erase(kind);
  return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityFlushAll(std::uint32_t flag) {
  const std::lock_guard lock(state().mutex);
  if (flag == CUPTI_ACTIVITY_FLAG_FLUSH_FORCED || !has("unfinished")) complete_buffer(state());
  return has("no_flush") ? CUPTI_ERROR_UNKNOWN : CUPTI_SUCCESS;
}

CUptiResult cuptiActivityGetNextRecord(std::uint8_t* buffer, std::size_t valid_bytes, CUpti_Activity** record) {
  std::uint8_t* at = buffer;
  if (*record != nullptr && has("stuck") && ++state().read_again < 1000) return CUPTI_SUCCESS;
  if (*record != nullptr) at = reinterpret_cast<std::uint8_t*>(*record) + size_of((*record)->kind);
  const auto left = static_cast<std::size_t>(buffer + valid_bytes - at);
  if (left == 0 && has("beyond") && ++state().read_again == 1) {
    *record = reinterpret_cast<CUpti_Activity*>(at);
    return CUPTI_SUCCESS;
  }
  if (left == 0 || left > valid_bytes) return CUPTI_ERROR_MAX_LIMIT_REACHED;
  auto* next = reinterpret_cast<CUpti_Activity*>(at);
  if (size_of(next->kind) == 0 || size_of(next->kind) > left) return CUPTI_ERROR_INVALID_KIND;
  *record = next;
  return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityGetNumDroppedRecords(CUcontext, std::uint32_t stream, std::size_t* dropped) {
  if (stream != 0) return CUPTI_ERROR_INVALID_PARAMETER;
  const std::lock_guard lock(state().mutex);
  *dropped = std::exchange(state().dropped, 0);
  return has("no_count") ? CUPTI_ERROR_UNKNOWN : CUPTI_SUCCESS;
}

CUptiResult cuptiActivityPushExternalCorrelationId(CUpti_ExternalCorrelationKind kind, std::uint64_t id) {
  if (kind != CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM2) return CUPTI_ERROR_INVALID_PARAMETER;
  if (has("no_push")) return CUPTI_ERROR_UNKNOWN;
  State& fake = state();
  const std::lock_guard lock(fake.mutex);
  ++fake.pushed;
  ids_of_thread().push_back(id);
  if (has("true_launches")) return CUPTI_SUCCESS;
  ++fake.launches;
  if (has("shuffled")) {
    write_kernels(fake);
    complete_buffer(fake);
    write_call(fake, id);
  } else {
    write_call(fake, id);
    write_kernels(fake);
  }
  return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityPopExternalCorrelationId(CUpti_ExternalCorrelationKind, std::uint64_t* id) {
  const std::lock_guard lock(state().mutex);
  *id = 0;
  if (state().pushed == 0) return CUPTI_ERROR_QUEUE_EMPTY;
  --state().pushed;
  if (!ids_of_thread().empty()) ids_of_thread().pop_back();
  return CUPTI_SUCCESS;
}

}  // extern "C"
