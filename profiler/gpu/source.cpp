// SPDX-License-Identifier: Apache-2.0
#include "profiler/gpu/source.h"

#include <array>
#include <cstdlib>
#include <exception>
#include <optional>
#include <utility>

#include "profiler/gpu/cupti_api.h"
#include "profiler/gpu/driver.h"
#include "profiler/gpu/from_cupti.h"
#include "profiler/gpu/launching_calls.h"
#include "profiler/gpu/refusal.h"
#include "profiler/gpu/replay.h"

namespace ampprof::profiler {
namespace {

struct Kind {
  CUpti_ActivityKind kind;
  bool is_needed;  ///< attribution is impossible without this kind
  const char* what;
};

// CUPTI records external ids only if both APIs are recorded. CONCURRENT_KERNEL, because KERNEL would serialize kernels.
constexpr std::array kKinds{
    Kind{CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, true, "kernels on GPUs"},
    Kind{CUPTI_ACTIVITY_KIND_RUNTIME, true, "calls of the CUDA runtime"},
    Kind{CUPTI_ACTIVITY_KIND_DRIVER, true, "calls of the CUDA driver"},
    Kind{CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION, true, "op calls that launched GPU activity"},
    Kind{CUPTI_ACTIVITY_KIND_MEMCPY, false, "memcpys from and to GPUs"},
    Kind{CUPTI_ACTIVITY_KIND_MEMCPY2, false, "memcpys between GPUs"},
    Kind{CUPTI_ACTIVITY_KIND_MEMSET, false, "memsets of GPU memory"},
    Kind{CUPTI_ACTIVITY_KIND_OVERHEAD, false, "CUPTI's own overhead"},
    Kind{CUPTI_ACTIVITY_KIND_MEMORY_POOL, false, "memory pools of GPUs"},
};

// A global, because CUPTI's callbacks take no user data. Set before the callbacks are registered. Pools are never
// freed, since a callback may use a pool while its source closes.
std::atomic<BufferPool*> pool_in_use{nullptr};
std::atomic<bool> is_open{false};

void buffer_requested(std::uint8_t** buffer, std::size_t* size, std::size_t* most_records) {
  BufferPool* pool = pool_in_use.load();
  *buffer = pool->lend();
  *size = *buffer != nullptr ? pool->bytes() : 0;
  *most_records = 0;  // as many as fit
}

void buffer_completed(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t, std::size_t valid_bytes) {
  pool_in_use.load()->filled(buffer, valid_bytes);
}

void callback_of_no_domain(void*, CUpti_CallbackDomain, CUpti_CallbackId, const void*) {}

BufferPool* new_pool(const SourceOptions& options) {
  static auto& all = *new std::vector<std::unique_ptr<BufferPool>>;  // only one source exists at a time: needs no lock
  return all.emplace_back(std::make_unique<BufferPool>(options.buffer_bytes, options.most_buffers)).get();
}

struct Subscription {
  CUptiResult result = CUPTI_SUCCESS;
  CUpti_SubscriberHandle handle = nullptr;
  std::string holder;  ///< the tool that already uses CUPTI, if CUPTI names it
};

Subscription subscribe(const CuptiApi& api) {
  Subscription made;
  if (api.subscribe_v2 == nullptr) {
    made.result = api.subscribe(&made.handle, callback_of_no_domain, nullptr);
    return made;
  }
  std::array<char, 2 * CUPTI_OLD_SUBSCRIBER_NAME_MIN_LEN> holder{};
  CUpti_SubscriberParams parameters{};
  parameters.structSize = CUpti_SubscriberParams_STRUCT_SIZE;
  parameters.subscriberName = "ampprof";
  parameters.oldSubscriberName = holder.data();
  parameters.oldSubscriberSize = holder.size() - 1;
  made.result = api.subscribe_v2(&made.handle, callback_of_no_domain, nullptr, &parameters);
  if (made.result != CUPTI_SUCCESS) made.holder = holder.data();
  return made;
}

/// Returns the likely cause of a failure: without a driver, CUPTI 13.0 only returns CUPTI_ERROR_UNKNOWN.
CUptiResult likely_result(CUptiResult result) {
  return result == CUPTI_ERROR_UNKNOWN && !has_driver() ? CUPTI_ERROR_NOT_INITIALIZED : result;
}

/// Returns the domain (runtime or driver) whose calls this kind of record describes; empty for any other kind.
std::optional<CUpti_CallbackDomain> domain_of(CUpti_ActivityKind kind) {
  if (kind == CUPTI_ACTIVITY_KIND_RUNTIME) return CUPTI_CB_DOMAIN_RUNTIME_API;
  if (kind == CUPTI_ACTIVITY_KIND_DRIVER) return CUPTI_CB_DOMAIN_DRIVER_API;
  return std::nullopt;
}

CUptiResult enable(const CuptiApi& api, CUpti_ActivityKind kind, bool all_calls) {
  const auto domain = domain_of(kind);
  return domain && !all_calls ? record_launching_calls(api, *domain) : api.enable(kind);
}

void disable_all(const CuptiApi& api) {
  for (const Kind& kind : kKinds) {
    if (const auto domain = domain_of(kind.kind)) {
      stop_recording_calls(api, *domain);
    } else {
      (void)api.disable(kind.kind);
    }
  }
}

/// Enables all kinds. Returns why recording is impossible; empty if it is possible. Adds refused kinds that are not
/// required to `missing`.
std::optional<Missing> enable_all(const CuptiApi& api, bool all_calls, std::vector<Missing>& missing) {
  if (const CUptiResult result = api.register_callbacks(buffer_requested, buffer_completed); result != CUPTI_SUCCESS) {
    return refused(result, words_for(api, result), "");
  }
  for (const Kind& kind : kKinds) {
    const CUptiResult result = enable(api, kind.kind, all_calls);
    if (result == CUPTI_SUCCESS) continue;
    if (kind.is_needed) return refused(result, words_for(api, result), "");
    missing.push_back(kind_refused(kind.what, result, words_for(api, result)));
  }
  return std::nullopt;
}

/// Returns why this build cannot read CUPTI's records; empty if it can. Adds a different minor version to `missing`.
std::optional<Missing> check_version(const CuptiApi& api, std::vector<Missing>& missing) {
  std::uint32_t found{};
  if (const CUptiResult result = api.get_version(&found); result != CUPTI_SUCCESS) {
    return refused(result, words_for(api, result), "");
  }
  const std::uint32_t built_for = cupti_version_built_for();
  if (found / 10000 != built_for / 10000) return other_version(built_for, found);
  if (found / 100 != built_for / 100) missing.push_back(other_version(built_for, found));
  return std::nullopt;
}

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

}  // namespace

struct Source::Cupti {
  CuptiApi api;
  CUpti_SubscriberHandle subscriber = nullptr;                  ///< also null after another profiler has taken CUPTI
  std::optional<CUpti_ActivityThreadIdType> thread_ids_before;  ///< set if start() changed the type
  std::atomic<bool> has_ended{false};

  ~Cupti() { end(); }

  void end() {
    if (has_ended.exchange(true)) return;
    if (thread_ids_before) (void)api.set_thread_id_type(*thread_ids_before);
    if (subscriber != nullptr) {
      disable_all(api);
      (void)api.unsubscribe(subscriber);
    }
    is_open = false;
  }

  /// Switches to system thread ids. CUPTI's default ids come from pthread_self(), which cannot be looked up elsewhere.
  void take_system_thread_ids() {
    if (api.set_thread_id_type == nullptr) return;
    thread_ids_before = CUPTI_ACTIVITY_THREAD_ID_TYPE_DEFAULT;
    if (api.get_thread_id_type != nullptr) (void)api.get_thread_id_type(&*thread_ids_before);
    (void)api.set_thread_id_type(CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM);
  }

  /// Starts recording. Returns why that is impossible; empty if it has started.
  std::optional<Missing> start(const SourceOptions& options, std::vector<Missing>& missing) {
    CuptiLibrary library = load_cupti(options.library);
    if (!library.error.empty()) return library_not_loaded(library.error);
    api = library.api;
    if (const auto unreadable = check_version(api, missing)) return unreadable;
    const Subscription made = subscribe(api);
    if (made.result != CUPTI_SUCCESS) {
      return refused(likely_result(made.result), words_for(api, made.result), made.holder);
    }
    subscriber = made.handle;
    pool_in_use = new_pool(options);
    take_system_thread_ids();
    return enable_all(api, options.all_calls, missing);
  }
};

SourceOptions SourceOptions::from_environment() {
  SourceOptions options;
  options.library = variable("AMPPROF_CUPTI");
  options.dump = variable("AMPPROF_CUPTI_DUMP");
  options.all_calls = variable("AMPPROF_CUPTI_CALLS") == "all";
  return options;
}

Source::Opened Source::open(SourceOptions options) noexcept {
  Opened opened;
  if (is_open.exchange(true)) {
    opened.missing.push_back(already_open());
    return opened;
  }
  auto cupti = std::make_unique<Cupti>();
  try {
    if (const auto cause = cupti->start(options, opened.missing)) {
      opened.missing = {*cause};
    } else {
      opened.source.reset(new Source(std::move(options), std::move(cupti)));
    }
  } catch (const std::exception& error) {
    opened.missing = {own_failure(error.what())};
  }
  return opened;
}

Source::Source(SourceOptions options, std::unique_ptr<Cupti> cupti)
    : options_(std::move(options)), cupti_(std::move(cupti)), pool_(pool_in_use) {
  if (options_.dump.empty()) return;
  std::uint32_t version{};
  (void)cupti_->api.get_version(&version);
  dump_ = std::make_unique<ActivityFile>(options_.dump, version);
}

Source::~Source() { (void)close(); }

void Source::push(const LaunchedBy& by) noexcept {
  if (is_closed_.load(std::memory_order_relaxed)) return;
  if (!by.fits()) ids_too_large_.fetch_add(1, std::memory_order_relaxed);
  const CUptiResult result = cupti_->api.push_id(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM2, by.encode());
  if (result != CUPTI_SUCCESS) failed_pushes_.fetch_add(1, std::memory_order_relaxed);
}

void Source::pop() noexcept {
  if (is_closed_.load(std::memory_order_relaxed)) return;
  std::uint64_t ignored{};
  (void)cupti_->api.pop_id(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM2, &ignored);
}

void Source::other_profiler_began() noexcept { may_be_taken_ = true; }

CuptiClock Source::read_clock() const {
  const auto cupti_now = [this] {
    std::uint64_t now{};
    (void)cupti_->api.get_timestamp(&now);
    return now;
  };
  return read_clocks(cupti_now, options_.now_ns);
}

void Source::take_from_cupti(std::uint32_t flag) {
  if (cupti_->api.flush_all(flag) != CUPTI_SUCCESS) ++failed_flushes_;
}

void Source::flush() {
  if (is_closed_) return;
  take_from_cupti(0);
  collect();
}

std::uint64_t Source::dropped_records() {
  std::size_t dropped{};
  return cupti_->api.get_dropped(nullptr, 0, &dropped) == CUPTI_SUCCESS ? dropped : 0;
}

void Source::collect() {
  const std::vector<BufferPool::Filled> all = pool_->take_filled();
  std::uint64_t dropped = dropped_records();
  if (all.empty() && dropped == 0) return;
  if (!all.empty()) may_be_taken_ = false;
  const CuptiClock clock = read_clock();
  for (const BufferPool::Filled& filled : all) hand_over(filled, clock, std::exchange(dropped, 0));
  if (dropped != 0) options_.sink({.clock = clock, .activities = {}, .dropped = dropped, .is_cut_short = false});
}

void Source::hand_over(const BufferPool::Filled& filled, const CuptiClock& clock, std::uint64_t dropped) {
  RawBuffer raw = split(filled);
  if (!raw.records.empty()) has_delivered_ = true;
  raw.clock = clock;
  raw.dropped = dropped;
  if (dump_) dump_->append(raw);
  options_.sink(activities_of(raw));
  pool_->give_back(filled);
}

/// Splits a buffer into records. Only CUPTI knows the lengths of records, which a later version may have increased.
RawBuffer Source::split(const BufferPool::Filled& filled) const {
  const std::span whole(reinterpret_cast<const std::byte*>(filled.buffer), filled.bytes);
  std::vector<std::size_t> starts;
  CUpti_Activity* record = nullptr;
  CUptiResult result = CUPTI_SUCCESS;
  while ((result = cupti_->api.get_next_record(filled.buffer, filled.bytes, &record)) == CUPTI_SUCCESS) {
    const auto start = static_cast<std::size_t>(reinterpret_cast<std::uint8_t*>(record) - filled.buffer);
    if (start >= whole.size() || (!starts.empty() && start <= starts.back())) break;
    starts.push_back(start);
  }
  RawBuffer raw;
  raw.is_cut_short = result != CUPTI_ERROR_MAX_LIMIT_REACHED;
  raw.records.reserve(starts.size());
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const std::size_t end = i + 1 < starts.size() ? starts[i + 1] : whole.size();
    const auto bytes = whole.subspan(starts[i], end - starts[i]);
    const std::string_view name = live_name_of(bytes);
    raw.records.push_back(
        {.kind = kind_of_record(bytes), .bytes = bytes, .name = name.empty() ? std::nullopt : std::optional(name)});
  }
  return raw;
}

std::vector<Missing> Source::close() {
  std::vector<Missing> missing;
  if (is_closed_.exchange(true)) return missing;
  take_from_cupti(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
  collect();
  if (may_be_taken_) {
    cupti_->subscriber = nullptr;  // the enabled kinds and the callbacks now belong to the other profiler
    missing.push_back(taken_by_other_profiler());
  }
  pool_->close();
  if (failed_flushes_ != 0) missing.push_back(flushes_failed(failed_flushes_));
  if (ids_too_large_ != 0) missing.push_back(ids_too_large(ids_too_large_));
  if (failed_pushes_ != 0) missing.push_back(pushes_failed(failed_pushes_));
  if (dump_ && !dump_->is_good()) missing.push_back(dump_failed(options_.dump));
  return missing;
}

void Source::release() {
  (void)close();
  cupti_->end();
}

}  // namespace ampprof::profiler
